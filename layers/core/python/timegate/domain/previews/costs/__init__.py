"""Costs of jobs in advance: measured runs times the runs of a month."""
