"""Rounds of the archive."""
