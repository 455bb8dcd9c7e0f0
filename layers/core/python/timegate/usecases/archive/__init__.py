"""Archiving: ended records are written once, and read again."""
