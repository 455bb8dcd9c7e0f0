"""Dead-letter queues in: a record that people can read out."""
