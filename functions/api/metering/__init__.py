"""Costs of runs."""
