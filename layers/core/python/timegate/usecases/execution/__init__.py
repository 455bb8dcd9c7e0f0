"""Execution: delivered runs are supervised until their end is on record."""
