"""Payloads too large for an item."""
