"""Runs: attempts, states, leases, watches and conclusions."""
