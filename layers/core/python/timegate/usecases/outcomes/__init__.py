"""Outcomes: what follows the end of a run."""
