"""Event triggers: defined by tenants, and fired by matching events."""
