"""Giving slots back, and calling the runs that wait for one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

from timegate.domain.jobs.job import Job
from timegate.domain.limits.overlap import QUOTA_KEY, SlotKey
from timegate.domain.limits.slots import (
    SlotHold,
    Slots,
    SlotWaiter,
    free_places,
    release_up_to,
)
from timegate.domain.limits.wait_queue import WaitQueue
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import PATIENCE
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.identity import AttemptId
from timegate.ports.limits.slots import NO_LINE, SlotStore
from timegate.ports.stores import AttemptRef, RunStore
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry, of_run

#: Runs of the line that are read beyond the places: some may have been cancelled.
SPARE = 24
#: One that is called begins to wait, or is called by another meanwhile.
_MAX_TRIES = 5
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


def held_slots(attempt: Attempt, lease: Lease, job: Job | None) -> list[tuple[int, SlotKey]]:
    """Return the keys whose slots went with a lease, with their limits as they are now.

    A key that no longer governs the run has the limit 1: then one run in its line is called. Where
    a lease names no key, the job as it is now says which slots it may have.
    """
    known = governing(job, attempt.id)
    if not lease.slots:
        return known
    limits = {key.name: limit for limit, key in known}
    return [
        (limits.get(name, 1), SlotKey(tenant=attempt.tenant, name=name)) for name in lease.slots
    ]


def hold_of(attempt: AttemptId, lease: Lease) -> SlotHold:
    """Return the hold by which a lease of an attempt has its slots."""
    return SlotHold(attempt=attempt, owner=lease.owner, fence=lease.fence)


def release_slot(
    attempt: Attempt, lease: Lease, job: Job | None, keeper: SlotKeeper, *, now: datetime
) -> None:
    """Give back the slots that went with a lease and call the next in their lines.

    Never raises ``Throttled``: what could not be given back expires, and a run that was not called
    comes back by itself. A job without a policy or a quota costs nothing.
    """
    hold = hold_of(attempt.id, lease)
    for limit, key in held_slots(attempt, lease, job):
        try:
            _release(key, hold, limit, keeper, now)
        except TimegateError as error:
            keeper.telemetry.event(run_events.SLOT_NOT_RELEASED, **of_run(attempt), code=error.code)


def free_slot(
    attempt: Attempt, lease: Lease, job: Job | None, keeper: SlotKeeper, *, now: datetime
) -> None:
    """Release slots like ``release_slot``, for a caller that comes again: raises ``Throttled``."""
    hold = hold_of(attempt.id, lease)
    for limit, key in held_slots(attempt, lease, job):
        _release(key, hold, limit, keeper, now)


def _release(key: SlotKey, hold: SlotHold, limit: int, keeper: SlotKeeper, now: datetime) -> None:
    keeper.slots.release(key, hold, now=now)
    call_waiters(key, limit, keeper, now=now)


def leave_line(attempt: Attempt, job: Job, keeper: SlotKeeper, *, now: datetime) -> None:
    """An attempt ended before its turn: it blocks no other run any more.

    Nor does it between two slices, where it kept its slot.
    """
    place = SlotWaiter(due_at=attempt.due_at, attempt=attempt.id)
    for limit, key in governing(job, attempt.id):
        keeper.slots.withdraw(key, [place], now=now)
        if attempt.state in _STILL_WAIT and attempt.fence:
            left = partial(_left, attempt=attempt)
            keeper.slots.change(key, left, now=now, reach=NO_LINE)
        call_waiters(key, limit, keeper, now=now)
    release_kept([(attempt, job)], keeper, now=now)


def try_to_leave_line(attempt: Attempt, keeper: SlotKeeper, *, now: datetime) -> None:
    """Leave the lines of an attempt as ``leave_line``, for callers that have not read its job.

    Never raises: a waiter that stays is passed over once it is called, and a slot expires.
    """
    try:
        (loaded,) = keeper.runs.load_all([AttemptRef(tenant=attempt.tenant, id=attempt.id)])
        if loaded.job is not None:
            leave_line(attempt, loaded.job, keeper, now=now)
    except TimegateError as error:
        keeper.telemetry.event(run_events.SLOT_NOT_RELEASED, **of_run(attempt), code=error.code)


def release_kept(runs: Sequence[tuple[Attempt, Job]], keeper: SlotKeeper, *, now: datetime) -> None:
    """Release slots that last slices left to the next ones, and that govern these runs no more.

    Their jobs got another key meanwhile, or none. Never raises: they expire minutes later.
    """
    for attempt, job in runs:
        last = attempt.slices.last
        if last is None or not last.slots:
            continue
        names = {key.name for _, key in governing(job, attempt.id)}
        for name in last.slots:
            if name not in names:
                _release_kept(attempt, SlotKey(tenant=attempt.tenant, name=name), keeper, now)


def _release_kept(attempt: Attempt, key: SlotKey, keeper: SlotKeeper, now: datetime) -> None:
    try:
        keeper.slots.change(key, partial(_left, attempt=attempt), now=now, reach=NO_LINE)
        call_waiters(key, 1, keeper, now=now)
    except TimegateError as error:
        keeper.telemetry.event(run_events.SLOT_NOT_RELEASED, **of_run(attempt), code=error.code)


def call_waiters(key: SlotKey, limit: int, keeper: SlotKeeper, *, now: datetime) -> None:
    """Queue the first in the line, as many as there are places; the stream publishes them."""
    most = 1 + SPARE
    while (slots := keeper.slots.look(key, now=now, most=most)).waiters:
        places = free_places(slots, limit=limit, now=now)
        if slots.is_cut and places + SPARE > most:
            most = places + SPARE
            continue
        waiting, gone = _sort(slots.waiters[: places + SPARE], key, keeper)
        for attempt in waiting[:places]:
            _call(attempt, key, keeper, now)
        keeper.slots.withdraw(key, gone, now=now)
        if not gone or len(waiting) >= places:
            return


def clear_line(
    line: Sequence[SlotWaiter], key: SlotKey, keeper: SlotKeeper, *, now: datetime
) -> bool:
    """Take those out of the line that ended, or run, without its doing; whether there were any."""
    _, gone = _sort(line, key, keeper)
    keeper.slots.withdraw(key, gone, now=now)
    return bool(gone)


def _sort(
    line: Sequence[SlotWaiter], key: SlotKey, keeper: SlotKeeper
) -> tuple[list[Attempt], list[SlotWaiter]]:
    """Return the attempts that still wait, in order, and places of those that wait for nothing."""
    refs = [AttemptRef(tenant=key.tenant, id=each.attempt) for each in line]
    found = [loaded.attempt for loaded in keeper.runs.load_all(refs)]
    waiting, gone = [], []
    for place, attempt in zip(line, found, strict=True):
        if attempt is not None and _waits_at(place, attempt, key):
            waiting.append(attempt)
        else:
            gone.append(place)
    return waiting, gone


def _waits_at(place: SlotWaiter, attempt: Attempt, key: SlotKey) -> bool:
    """Tell if an attempt still waits at its place, and not at that of another due time or key."""
    at_its_time = attempt.state in _STILL_WAIT and attempt.due_at == place.due_at
    return at_its_time and not _waits_elsewhere(attempt, key)


def _waits_elsewhere(attempt: Attempt, key: SlotKey) -> bool:
    """Tell if it waits for a slot of another key: its job was changed, or a quota let it pass."""
    if attempt.state is not RunState.WAITING or attempt.queueing is None:
        return False
    match attempt.queueing.line:
        case WaitQueue.JOB:
            return key.name != attempt.id.run.job_id
        case WaitQueue.KEY:
            return key.name != attempt.queueing.key
        case WaitQueue.QUOTA:
            return not key.name.startswith(QUOTA_KEY)


def _call(attempt: Attempt, key: SlotKey, keeper: SlotKeeper, now: datetime) -> None:
    """Also one that is queued still: it may be about to wait, and must hear that it need not.

    One that began to wait since it was read is called as well: its slot is free by now.
    """
    called, place = False, SlotWaiter(due_at=attempt.due_at, attempt=attempt.id)
    for _ in range(_MAX_TRIES):
        queued = replace(attempt, state=RunState.QUEUED, direct=False, watch_at=now + PATIENCE)
        called = keeper.runs.replace(attempt, queued)
        if called:
            break
        ref = AttemptRef(tenant=attempt.tenant, id=attempt.id)
        found = keeper.runs.load_all([ref])[0].attempt
        if found is None or not _waits_at(place, found, key):
            break
        attempt = found
    keeper.telemetry.event(
        run_events.WAITER_CALLED,
        **of_run(attempt),
        called=called,
    )


def _left(slots: Slots, *, attempt: Attempt) -> tuple[Slots, None]:
    # No lease up to the fence that was read lives.
    return release_up_to(slots, attempt.id, fence=attempt.fence), None
