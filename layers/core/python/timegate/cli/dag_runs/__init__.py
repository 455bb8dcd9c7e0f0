"""Commands on runs of DAGs."""
