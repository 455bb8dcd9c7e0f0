"""Turns of rate limits on a table in memory."""

from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.memory.engine import MemoryEngine


def memory_rates() -> DynamoRateStore:
    """Build a store over a table of its own."""
    return DynamoRateStore(MemoryEngine(), table="jobs")
