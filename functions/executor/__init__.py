"""Queue in: claim, run, record."""
