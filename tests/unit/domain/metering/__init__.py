"""The meter."""
