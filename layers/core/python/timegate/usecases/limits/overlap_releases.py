"""Giving slots back, and calling the runs that wait for one."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from timegate.domain.jobs.job import Job
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.limits.slots import (
    SlotHold,
    Slots,
    free_places,
    prune,
    release,
    release_up_to,
    withdraw,
)
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import AttemptId
from timegate.ports.limits.slots import SlotStore
from timegate.ports.stores import AttemptRef, RunStore
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry

#: Of the line, so many more are read than there are places: some may have been cancelled.
_SPARE = 24
_STILL_WAIT = frozenset({RunState.WAITING, RunState.QUEUED})


class SlotKeeper(Protocol):
    """Services that executor and sweeper share to keep slots."""

    @property
    def slots(self) -> SlotStore:
        """The slots."""

    @property
    def runs(self) -> RunStore:
        """The attempts that hold them, or wait."""

    @property
    def telemetry(self) -> Telemetry:
        """One event per decision."""


def governing(job: Job | None, attempt: AttemptId) -> list[tuple[int, SlotKey]]:
    """Return the slot keys of an attempt with their limits: its job's, and its tenant's quota."""
    by_quota = job.under_quota(attempt.run) if job is not None else None
    return [
        (each.overlap.max_concurrent, each.slot_key)
        for each in (job, by_quota)
        if each is not None and each.slot_key is not None
    ]


def release_slot(
    attempt: AttemptId, lease: Lease, job: Job | None, keeper: SlotKeeper, *, now: datetime
) -> None:
    """Give back the slots that went with a lease and call the next in their lines.

    Never raises ``Throttled``: what could not be given back expires, and a run that was not called
    comes back by itself. A job without a policy or a quota costs nothing.
    """
    hold = SlotHold(attempt=attempt, owner=lease.owner, fence=lease.fence)
    for limit, key in governing(job, attempt):
        try:
            slots = keeper.slots.change(key, partial(_released, hold=hold, now=now), now=now)
            call_waiters(slots, key, limit, keeper, now=now)
        except TimegateError as error:
            keeper.telemetry.event(
                run_events.SLOT_NOT_RELEASED, attempt_id=str(attempt), code=error.code
            )


def free_slot(
    attempt: AttemptId, lease: Lease, job: Job | None, keeper: SlotKeeper, *, now: datetime
) -> None:
    """Release slots like ``release_slot``, for a caller that comes again: raises ``Throttled``."""
    hold = SlotHold(attempt=attempt, owner=lease.owner, fence=lease.fence)
    for limit, key in governing(job, attempt):
        slots = keeper.slots.change(key, partial(_released, hold=hold, now=now), now=now)
        call_waiters(slots, key, limit, keeper, now=now)


def leave_line(attempt: Attempt, job: Job, keeper: SlotKeeper, *, now: datetime) -> None:
    """An attempt ended before its turn: it blocks no other run any more.

    Nor does it between two slices, where it kept its slot.
    """
    for limit, key in governing(job, attempt.id):
        slots = keeper.slots.change(key, partial(_left, attempt=attempt), now=now)
        call_waiters(slots, key, limit, keeper, now=now)


def call_waiters(
    slots: Slots, key: SlotKey, limit: int, keeper: SlotKeeper, *, now: datetime
) -> None:
    """Queue the first in the line, as many as there are places; the stream publishes them."""
    while slots.waiters:
        places = free_places(slots, limit=limit, now=now)
        line = [waiter.attempt for waiter in slots.waiters[: places + _SPARE]]
        waiting, gone = _sort(line, key, keeper)
        for attempt in waiting[:places]:
            _call(attempt, keeper, now)
        if not gone:
            return
        slots = keeper.slots.change(key, partial(_withdrawn, gone=gone), now=now)
        if len(waiting) >= places:
            return


def clear_line(
    line: Sequence[AttemptId], key: SlotKey, keeper: SlotKeeper, *, now: datetime
) -> bool:
    """Take those out of the line that ended, or run, without its doing; whether there were any."""
    _, gone = _sort(line, key, keeper)
    if gone:
        keeper.slots.change(key, partial(_withdrawn, gone=gone), now=now)
    return bool(gone)


def _sort(
    line: Sequence[AttemptId], key: SlotKey, keeper: SlotKeeper
) -> tuple[list[Attempt], set[AttemptId]]:
    """Return the attempts that still wait, in order, and the ids that wait for nothing."""
    refs = [AttemptRef(tenant=key.tenant, id=attempt) for attempt in line]
    found = [loaded.attempt for loaded in keeper.runs.load_all(refs)]
    waiting = [a for a in found if a is not None and a.state in _STILL_WAIT]
    return waiting, set(line) - {attempt.id for attempt in waiting}


def _call(attempt: Attempt, keeper: SlotKeeper, now: datetime) -> None:
    """Also one that is queued still: it may be about to wait, and must hear that it need not."""
    queued = replace(attempt, state=RunState.QUEUED, direct=False, watch_at=now + PATIENCE)
    called = keeper.runs.replace(attempt, queued)
    keeper.telemetry.event(
        run_events.WAITER_CALLED,
        tenant_id=attempt.tenant,
        attempt_id=str(attempt.id),
        called=called,
    )


def _released(slots: Slots, *, hold: SlotHold, now: datetime) -> tuple[Slots, Slots]:
    after = release(slots, hold)
    return (after, prune(after, now=now))


def _left(slots: Slots, *, attempt: Attempt) -> tuple[Slots, Slots]:
    after = withdraw(slots, {attempt.id})
    if attempt.state in _STILL_WAIT:
        # As it was read, so no lease of it up to this fence lives.
        after = release_up_to(after, attempt.id, fence=attempt.fence)
    return after, after


def _withdrawn(slots: Slots, *, gone: Collection[AttemptId]) -> tuple[Slots, Slots]:
    after = withdraw(slots, gone)
    return after, after
