"""Calendars and freezes as items."""
