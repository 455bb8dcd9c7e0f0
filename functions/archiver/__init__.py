"""Tick in: ended records out to files of the archive."""
