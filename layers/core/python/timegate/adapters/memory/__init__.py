"""Every port in memory: what unit tests and the simulator work with.

The twins refuse exactly what the AWS adapters refuse; ``tests/contract`` holds both to it.
"""
