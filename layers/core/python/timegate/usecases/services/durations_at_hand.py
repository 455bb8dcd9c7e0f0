"""Durations at hand: how long a job's recent runs took, as this process read it a moment ago."""

from collections import OrderedDict
from datetime import datetime, timedelta
from threading import Lock

from timegate.domain.runs.finishing import RECENT_RUNS, usual_ms
from timegate.domain.values.identity import JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import RunStore

#: A process reads a job's recent runs once in so long: one query of ``RECENT_RUNS`` records.
READ_EVERY = timedelta(minutes=10)
#: Then those that were read first are read again: two numbers each.
MOST_KEPT = 10_000


def read_usual_ms(tenant: TenantId, job_id: JobId, runs: RunStore, *, now: datetime) -> int | None:
    """Milliseconds that 95 of 100 recent runs do not exceed; ``None``: too few succeeded.

    One query; raises ``Throttled``.
    """
    within = InstantRange(end=now)
    recent = runs.list_runs(tenant, job_id, limit=RECENT_RUNS, cursor=None, within=within)
    return usual_ms(recent.rows)


class DurationsAtHand:
    """The usual durations that this process has read lately."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._read: OrderedDict[tuple[TenantId, JobId], tuple[datetime, int | None]] = OrderedDict()

    def usual_ms(
        self, tenant: TenantId, job_id: JobId, runs: RunStore, *, now: datetime
    ) -> int | None:
        """Return ``read_usual_ms``, read within the last ten minutes; raises ``Throttled``."""
        key = (tenant, job_id)
        with self._lock:
            known = self._read.get(key)
        if known is not None and abs(now - known[0]) < READ_EVERY:
            return known[1]
        usual = read_usual_ms(tenant, job_id, runs, now=now)
        with self._lock:
            self._read[key] = (now, usual)
            self._read.move_to_end(key)
            while len(self._read) > MOST_KEPT:
                self._read.popitem(last=False)
        return usual
