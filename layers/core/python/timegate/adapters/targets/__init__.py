"""Targets of runs: web hooks, Lambda functions, queues."""
