"""Timers of systemd: their units, and calendar events."""
