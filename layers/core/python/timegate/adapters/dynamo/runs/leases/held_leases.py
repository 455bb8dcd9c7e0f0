"""Writes of holders of runs, in the runs table: one for each change of a lease."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.runs.items.checkpoint_items import (
    answer_to_fields,
    checkpoint_to_fields,
    progress_to_fields,
)
from timegate.adapters.dynamo.runs.items.index_items import index_fields, moved_watch_fields
from timegate.adapters.dynamo.runs.items.lease_items import LEASE_FIELDS
from timegate.adapters.dynamo.runs.leases import slice_writes
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Found, Update, WriteResult
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.suspects import alone_when_released
from timegate.domain.values.errors import CheckpointOutdated, LeaseLost
from timegate.domain.values.instants import compact
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.runs.held_leases import HeldByDagRun


class DynamoHeldLeases:
    """The part of ``DynamoRunStore`` between a claim and an end."""

    def __init__(self, engine: Engine, *, table: str, shards: ShardPlacement) -> None:
        self._engine = engine
        self._table = table
        self._shards = shards

    def hand_over(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        at: datetime,
        to: HeldByDagRun | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Leave the lease to the target; ``False`` when it was lost, or the run has ended."""
        held = {"dag_run": to.dag_run, "deadline_at": compact(to.deadline_at)} if to else {}
        update = Update(
            table=self._table,
            key=attempt_key(attempt.tenant, attempt.id),
            fields={
                "lease_expires_at": compact(expires_at),
                "handed_over_at": compact(at),
                **held,
                **moved_watch_fields(attempt, watch_at, shards=self._shards),
            },
            where={**_held(attempt), "handed_over_at": None},
            shows_refused=True,
        )
        (result,) = self._engine.write_each([update])
        return result.done or _has_spoken(result, attempt)

    def extend(
        self,
        attempt: Attempt,
        *,
        expires_at: datetime,
        report: Report = SILENCE,
        handed_over_at: datetime | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        """Renew a lease and store what its holder reports; whether a cancel was requested.

        Raises ``LeaseLost`` and ``CheckpointOutdated``.
        """
        expires, checkpoint = compact(expires_at), report.checkpoint
        # A worker that finds it in its pool may take it over when the lease has expired.
        shown = {"offered_at": expires} if attempt.offer is not None else {}
        watch = moved_watch_fields(attempt, watch_at, shards=self._shards)
        # A checkpoint comes after the one that is stored, if any.
        grows = (
            {"checkpoint_sequence": Compared(below=checkpoint.sequence, or_missing=True)}
            if checkpoint is not None
            else {}
        )
        update = Update(
            table=self._table,
            key=attempt_key(attempt.tenant, attempt.id),
            fields={"lease_expires_at": expires, **shown, **_said(report), **watch},
            # The target has it from its first word on, or since it was left to it.
            first={"handed_over_at": compact(handed_over_at)} if handed_over_at is not None else {},
            where={**_held(attempt), **grows},
            shows_refused=True,
            shows_stored=True,
        )
        result = self._engine.write(update)
        if result.stored is None:
            return _reported_before(result.found, attempt, report)
        return attempt_from_fields(result.stored).cancel_requested

    def release(self, attempt: Attempt, *, state: RunState, watch_at: datetime) -> bool:
        """Hand a lease back; ``False`` when it was lost."""
        let_go = replace(attempt, state=state, lease=None, watch_at=watch_at)
        update = Update(
            table=self._table,
            key=attempt_key(attempt.tenant, attempt.id),
            fields={
                "state": state,
                "direct": False,
                "releases": attempt.releases + 1,
                # It began: it waits for no freeze any more.
                "frozen_since": None,
                **_alone(attempt),
                **index_fields(let_go, shards=self._shards()),
            },
            removed=LEASE_FIELDS,
            where=_held(attempt),
            shows_refused=True,
        )
        (result,) = self._engine.write_each([update])
        return result.done or _released_before(result, attempt, state)

    def end_slice(self, before: Attempt, after: Attempt) -> bool:
        """End a slice and queue the next; ``False`` when the lease was lost."""
        watch = index_fields(after, shards=self._shards())
        return slice_writes.end_slice(self._engine, self._table, before, after, watch=watch)

    def keep_answer(self, attempt: Attempt, answer: KeptAnswer) -> bool:
        """Keep what the target answered to a worker that lost its lease, unless there is one."""
        update = Update(
            table=self._table,
            key=attempt_key(attempt.tenant, attempt.id),
            # Should the attempt be queued just now, this image must not publish it again.
            fields={**answer_to_fields(answer), "direct": True},
            where={"answer_fence": None},
        )
        (result,) = self._engine.write_each([update])
        return result.done

    def count_duplicate(self, attempt: Attempt) -> None:
        """Count a duplicate that was prevented; an attempt that is not there is not created."""
        counted = Update(
            table=self._table,
            key=attempt_key(attempt.tenant, attempt.id),
            # One that is queued has its message: this image must not publish it again.
            fields={"direct": True},
            added={"duplicates_prevented": 1},
            where={},
        )
        self._engine.write(counted)


def _held(attempt: Attempt) -> Mapping[str, Plain]:
    """Marks of the lease that the holder has."""
    return {"state": RunState.RUNNING, "fence": attempt.fence}


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


def _alone(attempt: Attempt) -> dict[str, Plain]:
    """A lease that was handed back is none that ended without a word."""
    return {"alone": alone_when_released(attempt) or None} if attempt.alone else {}


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
