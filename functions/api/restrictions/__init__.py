"""Calendars and freezes in the API."""
