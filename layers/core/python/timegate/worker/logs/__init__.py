"""Logs of a worker and of its runs."""
