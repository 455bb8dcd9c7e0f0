"""Presentation of answers in a terminal: zone, width, and short ids."""
