"""Files of the archive."""
