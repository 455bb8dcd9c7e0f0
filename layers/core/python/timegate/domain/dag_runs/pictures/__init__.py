"""Gantt charts of DAG runs."""
