"""Dead-letter queues in: a record somebody can read out."""
