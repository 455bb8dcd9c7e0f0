"""DAGs in the API."""
