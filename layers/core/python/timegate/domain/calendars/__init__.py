"""Calendars: named sets of days and periods, and business days."""
