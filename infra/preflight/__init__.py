"""Checks before a deployment changes anything."""
