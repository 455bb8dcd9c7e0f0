"""DAG runs and their tasks as items."""
