"""Events and hooks."""
