"""Late starts: since when a run that waits is late, and the cause in words."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.finish import Lateness
from timegate.domain.runs.reserved_turns import late_since, own_turn
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE, QueueDepth
from timegate.domain.values.identity import OWN_RUNS
from timegate.domain.values.instants import MILLISECOND, milliseconds_between

_WAITS = frozenset({RunState.WAITING, RunState.QUEUED})
_LOADS = {
    QueueDepth.READY: "It is queued, and other messages of its queue wait for a worker as well.",
    QueueDepth.IN_FLIGHT: (
        "It is queued, and every message of its queue is with a worker that has not settled it."
    ),
    QueueDepth.IDLE: "It is queued, and its queue is empty: the sweeper publishes it again.",
}


def is_late(attempt: Attempt, job: Job, *, now: datetime) -> bool:
    """Tell if it has not begun later than its job takes for timely, and no hook was told so."""
    after = job.late_after_seconds
    told = attempt.lateness is not None and attempt.lateness.told
    if after is None or told or _has_begun(attempt) or not _is_heard(job):
        return False
    return milliseconds_between(late_since(attempt), now) > after * 1000


def with_lateness(attempt: Attempt, job: Job | None) -> Attempt:
    """The attempt with the instant from which it is late, if it waits and that is told of.

    The look comes no earlier than the first one of any run, so that no run in time has another.
    """
    if job is None or attempt.state not in _WAITS or _has_begun(attempt):
        return attempt
    since, pending = late_since(attempt), _pending(attempt, job)
    if attempt.lateness is None and not pending:
        return attempt
    look_at = None
    if pending:
        look_at = since + max(timedelta(seconds=min(pending)) + MILLISECOND, PATIENCE)
    known = attempt.lateness or Lateness(since=since)
    return replace(attempt, lateness=replace(known, look_at=look_at))


def marked_late(attempt: Attempt, job: Job | None, *, at: datetime) -> Attempt:
    """The attempt with the longest bound of a rule that it passed by then, for looks at rules.

    The mark is part of a write that is made anyway. A run that begins in time has none.
    """
    if job is None or not job.told_late_after or _has_begun(attempt):
        return attempt
    late_ms = milliseconds_between(late_since(attempt), at)
    passed = max((each for each in _of_rules(attempt, job) if late_ms > each * 1000), default=0)
    known = attempt.lateness or Lateness(since=late_since(attempt))
    if passed <= known.beyond_seconds:
        return attempt
    return replace(attempt, lateness=replace(known, beyond_seconds=passed, marked_at=at))


def late_cause(attempt: Attempt, load: QueueDepth, offered: str, *, now: datetime) -> str:
    """Explain in words why a run that is due has not begun.

    ``load``: that of its queue. ``offered``: the state of its pool; empty if it waits in none.
    """
    # Few runs are late.
    from timegate.domain.ledger.explanations import FROZEN_RUN, explain_run  # noqa: PLC0415

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


def _pending(attempt: Attempt, job: Job) -> list[int]:
    """List spans after which the run is told of and was not yet."""
    told, beyond = False, 0
    if attempt.lateness is not None:
        told, beyond = attempt.lateness.told, attempt.lateness.beyond_seconds
    pending = [each for each in _of_rules(attempt, job) if each > beyond]
    if job.late_after_seconds is not None and not told and _is_heard(job):
        pending.append(job.late_after_seconds)
    return pending


def _of_rules(attempt: Attempt, job: Job) -> tuple[int, ...]:
    """Return the bounds of rules; they are told of runs that are a job's own."""
    return job.told_late_after if attempt.id.run.origin in OWN_RUNS else ()


def _is_heard(job: Job) -> bool:
    return any(Occasion.LATE in hook.on for hook in job.notifications)


def _has_begun(attempt: Attempt) -> bool:
    return attempt.leases > 0 or attempt.id.number != attempt.opened_as
