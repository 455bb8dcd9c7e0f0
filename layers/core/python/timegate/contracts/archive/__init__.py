"""Requests about what has expired."""
