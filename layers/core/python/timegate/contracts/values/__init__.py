"""Contracts of values that requests share."""
