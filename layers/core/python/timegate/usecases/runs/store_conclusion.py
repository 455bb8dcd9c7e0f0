"""Storing a conclusion: the end of an attempt, and the next one unless a caller cancels."""

from timegate.domain.runs.conclusion import Conclusion, called_off
from timegate.ports.runs.held_leases import RetryWritten
from timegate.ports.stores import RunStore


def store_conclusion(conclusion: Conclusion, runs: RunStore) -> Conclusion | None:
    """Store an end with its retry and return it; ``None`` if the lease was lost. Raises
    ``Throttled``.

    A cancel that was requested since the worker last heard of one is found by the write itself:
    then the run ends as cancelled.
    """
    if conclusion.retry is not None:
        match runs.finish_and_retry(conclusion.ended, conclusion.retry):
            case RetryWritten.DONE:
                return conclusion
            case RetryWritten.LEASE_LOST:
                return None
            case RetryWritten.CALLED_OFF:
                conclusion = called_off(conclusion)
    return conclusion if all(runs.finish_all([conclusion.ended])) else None
