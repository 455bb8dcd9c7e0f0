"""Contracts of the records of regions."""
