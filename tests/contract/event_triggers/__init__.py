"""Stored event triggers."""
