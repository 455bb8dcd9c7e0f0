"""Commands on calendars and freezes."""
