"""``timegate cost``."""
