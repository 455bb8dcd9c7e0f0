"""DAG runs, read and drawn."""
