"""Ends of DAG runs that stop early."""
