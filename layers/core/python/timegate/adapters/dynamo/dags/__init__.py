"""DAGs as items."""
