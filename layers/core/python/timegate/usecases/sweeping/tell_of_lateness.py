"""Late starts that the sweeper finds: hooks are told while the run still waits."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.late_starts import is_late, late_cause, marked_late, with_lateness
from timegate.domain.execution.notices import notices
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.reserved_turns import wanted_at
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import QueueDepth
from timegate.usecases.ledger.explain_offer import explain_offer
from timegate.usecases.outcomes.notify import OccasionNotice, store_told
from timegate.usecases.sweeping.sweeper_services import Sweeping


def tell_of_lateness(
    attempt: Attempt,
    job: Job | None,
    load_of: Callable[[str], QueueDepth],
    sweeping: Sweeping,
    *,
    now: datetime,
) -> Attempt:
    """Store the notices of a run that waits beyond its time; return the attempt, marked as told.

    The mark that looks at rules find rides in the write of the sweeper's own look.

    The ids of notices are computed, and the worker that begins the run late makes the same: the
    first insert wins. A sweeper that dies before it writes the mark meets its own notices.
    Raises ``Throttled``.
    """
    if job is None or (attempt.lateness is None and wanted_at(attempt) > now):
        return attempt
    attempt = with_lateness(attempt, job)
    if attempt.lateness is not None and is_late(attempt, job, now=now):
        cause = _cause(attempt, job, load_of, sweeping, now)
        made = notices(job, attempt, Occasion.LATE, at=now, now=now, cause=cause)
        told = OccasionNotice(attempt=attempt, occasion=Occasion.LATE, notices=made)
        store_told([told], sweeping.runs, sweeping.telemetry)
        attempt = replace(attempt, lateness=replace(attempt.lateness, told=True))
    return with_lateness(marked_late(attempt, job, at=now), job)


def _cause(
    attempt: Attempt,
    job: Job,
    load_of: Callable[[str], QueueDepth],
    sweeping: Sweeping,
    now: datetime,
) -> str:
    in_queue = attempt.state is RunState.QUEUED and attempt.offer is None
    load = load_of(attempt.queue_key) if in_queue else QueueDepth.READY
    offered = explain_offer(attempt, sweeping.pools, job_of=lambda: job, now=now)
    return late_cause(attempt, load, offered, now=now)
