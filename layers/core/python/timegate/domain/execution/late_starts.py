"""Late starts: since when a run that waits is late, and the cause in words."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.explanations import FROZEN_RUN, explain_run
from timegate.domain.runs.finish import Lateness
from timegate.domain.runs.reserved_turns import late_since, own_turn
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE, QueueLoad
from timegate.domain.values.instants import MILLISECOND, milliseconds_between

_WAITS = frozenset({RunState.WAITING, RunState.QUEUED})
_LOADS = {
    QueueLoad.READY: "It is queued, and other messages of its queue wait for a worker as well.",
    QueueLoad.IN_FLIGHT: (
        "It is queued, and every message of its queue is with a worker that has not settled it."
    ),
    QueueLoad.IDLE: "It is queued, and its queue is empty: the sweeper publishes it again.",
}


def is_late(attempt: Attempt, job: Job, *, now: datetime) -> bool:
    """Tell if it has not begun later than its job takes for timely, and no hook was told so."""
    after = job.late_after_seconds
    told = attempt.lateness is not None and attempt.lateness.told
    if after is None or told or _has_begun(attempt):
        return False
    return milliseconds_between(late_since(attempt), now) > after * 1000


def waits_since(attempt: Attempt) -> datetime | None:
    """Return since when a run waits that has not begun; ``None``: it has, or has ended."""
    if attempt.state not in _WAITS or _has_begun(attempt):
        return None
    return late_since(attempt)


def with_lateness(attempt: Attempt, job: Job | None) -> Attempt:
    """The attempt with the instant from which it is late, if it waits and a hook hears of that.

    The look comes no earlier than the first one of any run, so that no run in time has another.
    """
    after = job.late_after_seconds if job is not None else None
    waits = attempt.state in _WAITS and not _has_begun(attempt)
    if job is None or after is None or not waits or not _is_heard(job):
        return attempt
    since = late_since(attempt)
    look_at = since + max(timedelta(seconds=after) + MILLISECOND, PATIENCE)
    told = attempt.lateness is not None and attempt.lateness.told
    return replace(attempt, lateness=Lateness(since=since, look_at=look_at, told=told))


def late_cause(attempt: Attempt, load: QueueLoad, offered: str, *, now: datetime) -> str:
    """Explain in words why a run that is due has not begun.

    ``load``: that of its queue. ``offered``: the state of its pool; empty if it waits in none.
    """
    if attempt.frozen_since is not None and attempt.due_at > now:
        return FROZEN_RUN
    if attempt.state is RunState.QUEUED and attempt.offer is not None:
        return offered.strip() or explain_run(attempt)
    if attempt.queueing is not None and attempt.queueing.fence == attempt.fence:
        # A look has queued it again, and no slot was free when a worker held it last.
        return attempt.queueing.explanation
    held_back = attempt.checks is not None or own_turn(attempt) is not None
    if attempt.state is RunState.QUEUED and not held_back:
        return _LOADS[load]
    return explain_run(attempt)


def _is_heard(job: Job) -> bool:
    return any(Occasion.LATE in hook.on for hook in job.notifications)


def _has_begun(attempt: Attempt) -> bool:
    return attempt.leases > 0 or attempt.id.number != attempt.opened_as
