"""Jitter: the same schedule in many jobs does not start them all in the same second."""

from datetime import datetime, timedelta
from hashlib import blake2b

from timegate.domain.values.instants import MILLISECOND, compact

_DIGEST_BYTES = 8


def jitter(
    seed: str, instant: datetime, jitter_seconds: int, next_instant: datetime | None
) -> timedelta:
    """Return the delay of the run of ``instant``: 0 to ``jitter_seconds``, in whole milliseconds.

    The same seed (the job id) and instant always give the same answer, for every caller. It never
    reaches ``next_instant``, so runs of one job keep their order; ``None`` means none follows. One
    that a run has rolled past bounds nothing.
    """
    limit = max(jitter_seconds * 1000, 0) + 1
    if next_instant is not None and next_instant >= instant:
        limit = min(limit, (next_instant - instant) // MILLISECOND)
    if limit <= 1:
        return timedelta(0)
    digest = blake2b(f"{seed}.{compact(instant)}".encode(), digest_size=_DIGEST_BYTES).digest()
    return (int.from_bytes(digest, "big") * limit >> (8 * _DIGEST_BYTES)) * MILLISECOND
