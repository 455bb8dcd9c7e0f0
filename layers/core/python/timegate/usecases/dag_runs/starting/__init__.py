"""Starts of DAG runs."""
