"""Commands that things with names have in common."""
