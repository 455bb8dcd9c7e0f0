"""Spellings of schedules, and the one form in which each is kept."""
