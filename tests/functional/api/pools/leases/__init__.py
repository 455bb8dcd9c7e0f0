"""Leases of workers, over HTTP."""
