"""Event triggers: patterns over a tenant's events, and the runs that matching events start."""
