"""Runs: the store, its queries and logs."""
