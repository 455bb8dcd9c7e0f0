"""Counts, rates and slots as items."""
