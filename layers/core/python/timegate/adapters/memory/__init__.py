"""What stands for AWS in tests: the engine of the stores, and the other ports in memory.

The engine refuses exactly the writes that DynamoDB refuses; ``tests/contract`` holds both to it.
"""
