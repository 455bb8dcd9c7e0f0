"""Queues, cursors and shards, as the use cases see them."""
