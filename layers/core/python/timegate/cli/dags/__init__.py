"""Commands on definitions of DAGs."""
