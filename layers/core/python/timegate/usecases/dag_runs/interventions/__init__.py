"""Interventions of operators in DAG runs."""
