"""Batches of messages, what is gathered beside them, and suspects among them."""
