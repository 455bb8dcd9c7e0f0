"""Conditional writes of claims, leases and ends."""
