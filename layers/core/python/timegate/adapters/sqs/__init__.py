"""The run queues and the queue of rejects."""
