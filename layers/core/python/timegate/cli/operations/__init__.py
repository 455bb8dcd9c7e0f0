"""Commands on operations and dead letters."""
