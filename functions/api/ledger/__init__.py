"""Ledgers in the API."""
