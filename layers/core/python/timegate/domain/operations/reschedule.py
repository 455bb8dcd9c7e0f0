"""Rescheduling: a run that has not begun is due at another instant."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.restriction_check import moved
from timegate.domain.runs.run import TERMINAL, Attempt, RunState, TriggerTerms
from timegate.domain.values.errors import Conflict, RunIsFinished
from timegate.domain.values.identity import Origin

#: No caller waits for an instant of theirs: a DAG run says when its tasks are due, and an end when
#: it is told of.
_DUE_AT_ONCE = frozenset({Origin.TASK, Origin.NOTIFICATION})
_PENDING = frozenset({RunState.WAITING, RunState.QUEUED})


class NotReschedulable(Conflict):
    """The run is at work, between two slices of it, or due when its DAG run says."""

    code = "not_reschedulable"

    def __init__(self, run_id: str, why: str) -> None:
        super().__init__(f"Run {run_id} cannot be rescheduled: {why}.")


def is_pending(last: Attempt) -> bool:
    """Tell if a run waits for its first worker, or for its next try."""
    return last.state in _PENDING and not last.is_under_way and not last.cancel_requested


def rescheduled(last: Attempt, due_at: datetime, *, now: datetime) -> Attempt:
    """The last attempt at a run, due at another instant; the run keeps its nominal one.

    Spans from the run's instant count from the new one, unless a worker has held the run: then its
    next try is put off. It leaves the line for slots, and asks for its turn under a rate limit
    anew. An instant that has passed is due at once. Raises ``RunIsFinished`` and
    ``NotReschedulable``.
    """
    _check(last)
    if due_at == last.due_at:
        return last
    later = replace(last, pace=None, lateness=None)
    if last.fence == 0:
        later = replace(later, opened_at=due_at, finish=None, terms=_without_expiry(last))
    first = last.rescheduled_from or last.due_at
    return replace(moved(later, due_at, now=now), rescheduled_from=first)


def _check(last: Attempt) -> None:
    run = last.id.run
    if last.state in TERMINAL:
        raise RunIsFinished(str(run), last.state)
    if run.origin in _DUE_AT_ONCE:
        raise NotReschedulable(str(run), f"it is a {run.origin.name.lower()}, due at once")
    if not is_pending(last):
        why = "a cancel was requested" if last.cancel_requested else "it is at work"
        raise NotReschedulable(str(run), why)


def _without_expiry(last: Attempt) -> TriggerTerms | None:
    """Return the terms of its trigger; who names another instant wants it however late it is."""
    if last.terms is None or last.terms.start_by is None:
        return last.terms
    terms = replace(last.terms, start_by=None)
    return None if terms == TriggerTerms() else terms
