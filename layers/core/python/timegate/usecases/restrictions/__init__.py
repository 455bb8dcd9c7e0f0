"""Calendars and freezes: created, read, lifted and looked up."""
