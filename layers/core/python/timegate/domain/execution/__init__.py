"""Execution: admission, conditions, long runs and follow-ups."""
