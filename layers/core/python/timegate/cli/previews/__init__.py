"""Commands that look ahead: schedules, edits, load."""
