"""Patterns over any event."""
