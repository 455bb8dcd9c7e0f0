"""Contracts of operations on many jobs, and of dead letters."""
