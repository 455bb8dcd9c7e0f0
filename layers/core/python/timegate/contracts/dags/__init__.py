"""Contracts of DAGs and their tasks."""
