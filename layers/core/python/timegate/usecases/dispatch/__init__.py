"""Dispatch: publishing runs to their queues."""
