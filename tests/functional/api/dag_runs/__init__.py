"""DAG runs."""
