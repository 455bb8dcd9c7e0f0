"""Restrictions: calendars and freezes that keep jobs from running."""
