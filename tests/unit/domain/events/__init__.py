"""Patterns over events."""
