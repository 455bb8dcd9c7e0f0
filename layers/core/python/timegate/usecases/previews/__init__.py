"""Previews of schedules, edits and load."""
