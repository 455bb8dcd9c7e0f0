"""Runs of DAGs in the API."""
