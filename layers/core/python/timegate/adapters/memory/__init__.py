"""Adapters in memory for tests and simulations: the stores' engine and the other ports.

The engine refuses exactly the writes that DynamoDB refuses; ``tests/contract`` holds both to it.
"""
