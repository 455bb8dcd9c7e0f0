"""Writes of a lease between its claim and its end: one for each change."""

from collections.abc import Mapping
from datetime import datetime

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    answer_to_fields,
    checkpoint_to_fields,
    progress_to_fields,
)
from timegate.adapters.dynamo.runs.items.lease_items import LEASE_FIELDS
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Found, Update, WriteResult
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.runs.checkpoint import Report
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.suspects import alone_when_released
from timegate.domain.values.errors import CheckpointOutdated, LeaseLost
from timegate.domain.values.instants import compact
from timegate.ports.runs.held_leases import HeldByDagRun


def extend(
    engine: Engine,
    table: str,
    attempt: Attempt,
    *,
    expires_at: datetime,
    report: Report,
    watch: Mapping[str, Plain],
    handed_over_at: datetime | None = None,
) -> bool:
    """Renew a lease and store what its holder reports; whether a cancel was requested.

    Raises ``LeaseLost`` and ``CheckpointOutdated``.
    """
    result = engine.write(_extension(table, attempt, expires_at, report, watch, handed_over_at))
    if result.stored is None:
        return _reported_before(result.found, attempt, report)
    return attempt_from_fields(result.stored).cancel_requested


def _extension(
    table: str,
    attempt: Attempt,
    expires_at: datetime,
    report: Report,
    watch: Mapping[str, Plain],
    handed_over_at: datetime | None,
) -> Update:
    expires, checkpoint = compact(expires_at), report.checkpoint
    # A worker that finds it in its pool may take it over when the lease has expired.
    shown = {"offered_at": expires} if attempt.offer is not None else {}
    # The target has it from its first word on, or since it was left to it.
    first = {"handed_over_at": compact(handed_over_at)} if handed_over_at is not None else {}
    # A checkpoint comes after the one that is stored, if any.
    grows = (
        {"checkpoint_sequence": Compared(below=checkpoint.sequence, or_missing=True)}
        if checkpoint is not None
        else {}
    )
    return Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        fields={"lease_expires_at": expires, **shown, **_said(report), **watch},
        first=first,
        where={"state": RunState.RUNNING, "fence": attempt.fence, **grows},
        shows_refused=True,
        shows_stored=True,
    )


def _said(report: Report) -> dict[str, Plain]:
    return {**progress_to_fields(report.progress), **checkpoint_to_fields(report.checkpoint)}


def _reported_before(found: Found, attempt: Attempt, report: Report) -> bool:
    """Our own report, already written: the answer to it was lost on its way."""
    stored = attempt_from_fields(found) if found else None
    held = stored is not None and (stored.state, stored.fence) == (RunState.RUNNING, attempt.fence)
    if stored is None or not held or report.checkpoint is None:
        raise LeaseLost(str(attempt.id))
    if checkpoint_to_fields(stored.checkpoint) != checkpoint_to_fields(report.checkpoint):
        raise CheckpointOutdated(str(attempt.id), report.checkpoint.sequence)
    return stored.cancel_requested


def hand_over(
    engine: Engine,
    table: str,
    attempt: Attempt,
    *,
    expires_at: datetime,
    at: datetime,
    watch: Mapping[str, Plain],
    to: HeldByDagRun | None = None,
) -> bool:
    """Leave the lease to the target; ``False`` when it was lost, or the run has ended."""
    held = {"dag_run": to.dag_run, "deadline_at": compact(to.deadline_at)} if to else {}
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        fields={
            "lease_expires_at": compact(expires_at),
            "handed_over_at": compact(at),
            **held,
            **watch,
        },
        where={"state": RunState.RUNNING, "fence": attempt.fence, "handed_over_at": None},
        shows_refused=True,
    )
    (result,) = engine.write_each([update])
    return result.done or _has_spoken(result, attempt)


def release(
    engine: Engine,
    table: str,
    attempt: Attempt,
    *,
    state: RunState,
    watch: Mapping[str, Plain],
) -> bool:
    """Hand a lease back; ``False`` when it was lost."""
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        fields={
            "state": state,
            "direct": False,
            "releases": attempt.releases + 1,
            **_alone(attempt),
            **watch,
        },
        removed=LEASE_FIELDS,
        where={"state": RunState.RUNNING, "fence": attempt.fence},
        shows_refused=True,
    )
    (result,) = engine.write_each([update])
    return result.done or _released_before(result, attempt, state)


def _alone(attempt: Attempt) -> dict[str, Plain]:
    """A lease that was handed back is none that ended without a word."""
    return {"alone": alone_when_released(attempt) or None} if attempt.alone else {}


def keep_answer(engine: Engine, table: str, attempt: Attempt, answer: KeptAnswer) -> bool:
    """Keep an answer, unless there is one."""
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        # Should the attempt be queued just now, this image must not publish it again.
        fields={**answer_to_fields(answer), "direct": True},
        where={"answer_fence": None},
    )
    (result,) = engine.write_each([update])
    return result.done


def count_duplicate(engine: Engine, table: str, attempt: Attempt) -> None:
    """Add one; an attempt that is not there is not created."""
    counted = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        # One that is queued has its message: this image must not publish it again.
        fields={"direct": True},
        added={"duplicates_prevented": 1},
        where={},
    )
    engine.write(counted)


def _has_spoken(result: WriteResult, attempt: Attempt) -> bool:
    """The target was quicker with its first heartbeat; or this is our own write."""
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found)
    return stored.state is RunState.RUNNING and stored.fence == attempt.fence


def _released_before(result: WriteResult, attempt: Attempt, state: RunState) -> bool:
    """Our own release, already written: the answer to it was lost on its way."""
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found)
    marks = (stored.state, stored.fence, stored.releases)
    return marks == (state, attempt.fence, attempt.releases + 1)
