"""Pools: offers of runs and the tokens of their leases."""
