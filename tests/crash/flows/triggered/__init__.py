"""Runs that something outside their schedules starts."""
