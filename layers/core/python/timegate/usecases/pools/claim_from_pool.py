"""Claiming from a pool: the executor's claim, for workers that come and ask for work."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.domain.actions.pool import check_pool_name
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.errors import Throttled
from timegate.ports.pools import WorkerSeen
from timegate.ports.telemetry import run_events, run_metrics, service_metrics
from timegate.usecases.execution.hand_back import hand_back
from timegate.usecases.pools.hand_run import Handed, hand
from timegate.usecases.pools.look_at_pool import (
    ASK_AGAIN_WITHIN,
    PoolClaim,
    PoolLook,
    look_at_pool,
)
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass

MAX_RUNS = 10
#: Bytes of payloads and checkpoints of one response, as JSON text within JSON. Lambda takes 6 MB,
#: and refuses a larger answer: its runs, leased by then, would reach no worker. One run fits.
MAX_HANDED_BYTES = 5_000_000
MAX_WAIT_SECONDS = 20
#: Between two looks while nothing is known to come; doubled from one to the next.
_FIRST_PAUSE = timedelta(milliseconds=500)
_LONGEST_PAUSE = timedelta(seconds=2)
#: Looks that follow at once on one that met nothing but offers of no use, and their time: a paused
#: or edited job leaves thousands of them, and runs wait behind.
_LOOKS_AT_ONCE = 8
_SETTLES_FOR = timedelta(seconds=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class HandedOut:
    """Runs that a worker gets."""

    runs: tuple[Handed, ...]
    #: Nothing is known to be due before.
    ask_again_after: timedelta
    #: How long its worker may be silent.
    lease_length: timedelta
    #: The pool is paused; ``None``: it hands out its runs.
    pause: PoolPause | None = None


def claim_from_pool(wanted: PoolClaim, services: WorkerServices) -> HandedOut:
    """Lease runs, most urgent first; waits for one, if asked to.

    Raises ``InvalidInput``, and ``RegionPassive`` where no run may begin in this region now.

    While nothing is due, the claim waits for the next run that is known. Without one it looks again
    every half a second to two, and finds work that was not planned within that. While its pool is
    paused, a look is one read: the claim waits as for work, and says so. Every claim is an
    owner of its own: a worker may send two at once, and the second must not take the first's runs.
    """
    check_pool_name(wanted.pool, "pool")
    began_at = now = services.clock.now()
    owner = f"{wanted.worker}/{random.getrandbits(32):08x}"
    execution = services.execution(owner=owner, pool=wanted.pool, now=now)
    if wanted.max_runs == 0:
        _greet(wanted, 0, services, now)
        return HandedOut(
            runs=(),
            ask_again_after=ASK_AGAIN_WITHIN,
            lease_length=services.lease_length,
            pause=look_at_pool(wanted, services, execution, now).pause,
        )
    if services.region is not None:
        services.region.check()
    look, runs = _claimed(wanted, services, execution)
    _greet(wanted, len(runs), services, now)
    pause = _FIRST_PAUSE
    while not runs and (now := services.clock.now()) < began_at + wanted.wait:
        again_at = min(now + pause, look.next_at or now + pause, began_at + wanted.wait)
        services.clock.wait_until(again_at)
        pause = min(2 * pause, _LONGEST_PAUSE)
        look, runs = _claimed(wanted, services, execution)
    _report(wanted, runs, look, services)
    return HandedOut(
        runs=tuple(runs),
        ask_again_after=_ask_again(runs, look, services),
        lease_length=services.lease_length,
        pause=look.pause,
    )


def _greet(wanted: PoolClaim, handed: int, services: WorkerServices, now: datetime) -> None:
    """Remember the worker, with the runs that it gets; raises ``Throttled`` if it gets none."""
    seen = WorkerSeen(
        worker=wanted.worker,
        seen_at=now,
        handlers=wanted.handlers,
        capacity=wanted.capacity,
        in_use=None if wanted.in_use is None else wanted.in_use + handed,
    )
    try:
        services.pools.greet(wanted.tenant, wanted.pool, seen)
    except Throttled:
        # Runs that are leased have to reach their worker; its next claim is remembered.
        if not handed:
            raise


def _claimed(
    wanted: PoolClaim, services: WorkerServices, execution: Execution
) -> tuple[PoolLook, list[Handed]]:
    """Claim what is due; look again at once, a few times, past offers that are of no use."""
    until = services.clock.now() + _SETTLES_FOR
    for _ in range(_LOOKS_AT_ONCE):
        look = look_at_pool(wanted, services, execution, services.clock.now())
        runs = _handed(look.held, execution, services, until)
        if runs or not look.has_more or services.clock.now() >= until:
            break
    return look, runs


def _handed(
    held: Sequence[Claimed], execution: Execution, services: WorkerServices, until: datetime
) -> list[Handed]:
    """Hand out as many runs as one response carries; the others are offered anew at once.

    So are those that are left at ``until``: reading large payloads may take long, and a gateway
    waits 30 s for an answer.
    """
    runs: list[Handed] = []
    room = MAX_HANDED_BYTES
    for claimed in held:
        if claimed is not held[0] and services.clock.now() >= until:
            hand_back(claimed, execution)
            continue
        handed = hand(claimed, execution, services)
        if handed is None:
            continue
        taken = handed.response_bytes
        if runs and taken > room:
            hand_back(claimed, execution)
        else:
            room -= taken
            runs.append(handed)
    return runs


def _ask_again(runs: Sequence[Handed], look: PoolLook, services: WorkerServices) -> timedelta:
    if runs:
        return timedelta(0)
    if look.has_more:
        return _FIRST_PAUSE
    if look.next_at is None:
        return ASK_AGAIN_WITHIN
    return max(look.next_at - services.clock.now(), timedelta(0))


def _report(
    wanted: PoolClaim, runs: Sequence[Handed], look: PoolLook, services: WorkerServices
) -> None:
    services.telemetry.count(run_metrics.POOL_CLAIMS)
    services.telemetry.count(run_metrics.POOL_CLAIMS_EMPTY, int(not runs))
    services.telemetry.count(run_metrics.POOL_RUNS_CLAIMED, len(runs))
    if look.pause is not None and look.pause.is_damaged:
        services.telemetry.count(service_metrics.RECORDS_UNREADABLE)
        services.telemetry.event(
            run_events.PAUSE_UNREADABLE, tenant_id=wanted.tenant, pool=wanted.pool
        )
    services.telemetry.event(
        run_events.POOL_CLAIMED,
        tenant_id=wanted.tenant,
        pool=wanted.pool,
        worker=wanted.worker,
        runs=len(runs),
        paused=look.pause is not None,
    )
