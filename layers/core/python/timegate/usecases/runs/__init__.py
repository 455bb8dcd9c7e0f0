"""Runs: read, with their payloads, results and conclusions."""
