"""DAGs."""
