"""Schedules as items."""
