"""Simulations in the API."""
