"""DAGs: definitions, their graphs and their rules."""
