"""Reopening: an ended run is tried again, as a new attempt; what ended stays on record."""

from datetime import datetime
from typing import Any

from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import Timing
from timegate.domain.runs.checkpoint import Checkpoint
from timegate.domain.runs.gate import first_state, is_direct
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.errors import RunIsUnfinished
from timegate.domain.values.identity import OperationId


def reopened(
    last: Attempt,
    timing: Timing,
    *,
    now: datetime,
    due_at: datetime | None = None,
    operation: OperationId | None = None,
    fresh: bool = False,
) -> Attempt:
    """The next attempt at a run whose last one is ``last``, due now unless ``due_at`` says when.

    One conditional insert: of several at once, one does. It has the whole retry policy before it
    and never completes the job; unless ``fresh``, it begins at the checkpoint. ``RunIsUnfinished``.
    """
    if not last.ends_run:
        raise RunIsUnfinished(str(last.id.run), last.state)
    attempt, due = last.id.next(), due_at or now
    state, direct = first_state(due, now), operation is None and is_direct(due, now)
    return Attempt(
        tenant=last.tenant,
        id=attempt,
        state=state,
        job_version=timing.version,
        priority=_priority(last, timing),
        resource_class=timing.resource_class,
        precision=timing.precision,
        due_at=due,
        created_at=now,
        watch_at=first_watch(state, due, now=now, direct=direct and timing.offer is None),
        direct=direct,  # Else the stream publishes it.
        fence=last.fence,  # The run's, not the attempt's.
        fenced_from=last.fence,
        offer=timing.offer,
        operation=operation,
        opened_as=attempt.number,
        opened_at=due,
        listed=last.listed or timing.lists_runs,
        checkpoint=None if fresh else _unfinished(last),
        **_of_the_run(last),
    )


def _priority(last: Attempt, timing: Timing) -> Priority:
    """Return the priority that its trigger set, or that of its job as it is now."""
    own = last.terms.priority if last.terms is not None else None
    return own or timing.priority


def _of_the_run(last: Attempt) -> dict[str, Any]:
    """Return the fields that no attempt changes: subject, its own payload and terms."""
    given = {"payload": last.payload, "terms": last.terms, "backfilled": last.backfilled}
    return {**given, "notice": last.notice, "parent": last.parent, "trace": last.trace}


def _unfinished(last: Attempt) -> Checkpoint | None:
    """Return the checkpoint of a run that did not succeed."""
    return last.checkpoint if last.state is not RunState.SUCCEEDED else None
