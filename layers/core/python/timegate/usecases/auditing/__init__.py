"""Auditing: each instant has its record."""
