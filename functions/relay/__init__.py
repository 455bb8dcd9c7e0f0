"""Stream in: queued runs out to their queues."""
