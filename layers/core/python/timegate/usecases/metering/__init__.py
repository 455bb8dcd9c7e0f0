"""Counting the costs of runs, and reporting them."""
