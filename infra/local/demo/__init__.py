"""The demonstration: jobs of every kind, from the HTTP API to their targets, as they happen."""
