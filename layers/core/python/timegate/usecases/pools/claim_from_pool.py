"""Claiming from a pool: the executor's claim, for workers that come and ask for work."""

import random
from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from timegate.domain.actions.pool import check_pool_name
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision, Priority
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import Offered, Shelf, WorkerSeen
from timegate.ports.telemetry import run_events, run_metrics, service_metrics
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.claims.consider_run import Suspect
from timegate.usecases.pools.hand_run import Handed, hand
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass

#: So many runs, each with a payload and a checkpoint of 256 KB, fit into one response.
MAX_RUNS = 10
MAX_WAIT_SECONDS = 20
#: More are looked at than are wanted: others claim them, and the index lags behind.
_SPARE = 15
#: Between two looks while nothing is known to come; doubled from one to the next.
_FIRST_PAUSE = timedelta(milliseconds=500)
_LONGEST_PAUSE = timedelta(seconds=2)
#: Looks that follow at once on one that met nothing but offers of no use, and their time: a paused
#: or edited job leaves thousands of them, and runs wait behind.
_LOOKS_AT_ONCE = 8
_SETTLES_FOR = timedelta(seconds=5)
#: A worker that was given nothing should ask again by then.
ASK_AGAIN_WITHIN = timedelta(seconds=5)
#: An unreadable record is out of the way of others for so long.
UNREADABLE_AGAIN = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolClaim:
    """A worker's request for runs."""

    tenant: TenantId
    pool: str
    worker: str
    #: 0: none is wanted, the worker says that it is at work.
    max_runs: int = 1
    wait: timedelta = timedelta(0)
    #: Handlers that it has; empty: whatever the pool offers.
    handlers: tuple[str, ...] = ()
    #: Runs that it can work on at once; ``None``: it does not say.
    capacity: int | None = None
    #: Runs that it works on before this claim; ``None``: it does not say.
    in_use: int | None = None


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


@dataclass(kw_only=True, slots=True)
class _Look:
    """One look at the pool."""

    held: list[Claimed] = field(default_factory=list)
    #: Instants of runs that are not due yet.
    upcoming: list[datetime] = field(default_factory=list)
    #: It holds a suspect, which is handed out with no other run.
    is_alone: bool = False
    #: A lane had as many offers as were read, and all of them were of no use.
    has_more: bool = False
    #: The pool is paused, and its offers were not looked at.
    pause: PoolPause | None = None

    @property
    def next_at(self) -> datetime | None:
        """Return the instant of the first run that is not due yet."""
        return min(self.upcoming, default=None)

    def is_over(self, wanted: PoolClaim) -> bool:
        """Tell if the worker gets no more."""
        return self.is_alone or len(self.held) >= wanted.max_runs


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
            pause=_look(wanted, services, execution, now).pause,
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
) -> tuple[_Look, list[Handed]]:
    """Claim what is due; look again at once, a few times, past offers that are of no use."""
    until = services.clock.now() + _SETTLES_FOR
    for _ in range(_LOOKS_AT_ONCE):
        look = _look(wanted, services, execution, services.clock.now())
        runs = [each for each in (hand(c, execution, services) for c in look.held) if each]
        if runs or not look.has_more or services.clock.now() >= until:
            break
    return look, runs


def _look(
    wanted: PoolClaim, services: WorkerServices, execution: Execution, now: datetime
) -> _Look:
    """Claim what is due, most urgent first, until there is enough.

    A failure ends the look. Runs that are leased by then reach their worker all the same: it would
    be taken for dead, and the runs for what killed it. A paused pool is looked at no further.
    """
    pause = services.pools.pause(wanted.tenant, wanted.pool)
    if pause is not None and pause.is_active(now):
        return _paused(pause, now)
    execution = replace(execution, pool_pause=pause)
    look = _Look()
    try:
        for priority in Priority:
            _claim_due(priority, wanted, look, services, execution, now)
    except Exception as error:
        if not look.held:
            raise
        code = getattr(error, "code", type(error).__name__)
        execution.telemetry.event(run_events.CLAIM_FAILED, code=code, messages=1)
    return look


def _paused(pause: PoolPause, now: datetime) -> _Look:
    """A pause may be ended by a caller at any time: it is looked at as often as an empty pool."""
    near = [each for each in [pause.ends_at] if each and each <= now + ASK_AGAIN_WITHIN]
    return _Look(pause=pause, upcoming=near)


def _claim_due(
    priority: Priority,
    wanted: PoolClaim,
    look: _Look,
    services: WorkerServices,
    execution: Execution,
    now: datetime,
) -> None:
    if look.is_over(wanted):
        return
    offered = services.pools.offered(
        Shelf(tenant=wanted.tenant, pool=wanted.pool, priority=priority),
        until=now + ASK_AGAIN_WITHIN,
        limit=wanted.max_runs + _SPARE,
        handlers=wanted.handlers,
    )
    look.upcoming += [each.at for each in offered if each.at > now]
    due = _in_turn([each for each in offered if each.at <= now])
    is_full = len(due) > _SPARE
    while due and not look.is_over(wanted):
        size = wanted.max_runs - len(look.held)
        _claim(due[:size], look, services, execution)
        due = due[size:]
    look.has_more |= is_full and not look.is_over(wanted)


def _in_turn(due: Sequence[Offered]) -> list[Offered]:
    """By due second; within one in no order, or all workers would contend for the same runs."""
    return sorted(due, key=lambda each: (int(each.at.timestamp()), random.random()))  # noqa: S311


def _claim(
    offered: Sequence[Offered], look: _Look, services: WorkerServices, execution: Execution
) -> None:
    by_attempt = {str(each.ref.id): each for each in offered}
    claims = claim_runs([_delivery(each) for each in offered], execution, in_turn=not look.held)
    look.held += claims.held
    for damaged in claims.unreadable:
        until = services.clock.now() + UNREADABLE_AGAIN
        offer = by_attempt[damaged.id]
        services.pools.put_off(offer.ref.tenant, offer, until=until)
    claims.raise_failed()
    if claims.suspects and not look.held:
        suspect = claims.suspects[0]
        _claim_alone(suspect, look, execution)
        if not look.is_alone:
            # It was not to be had after all: those that came behind it get their turn.
            _claim(
                [o for o in offered if str(o.ref.id) != suspect.delivery.id],
                look,
                services,
                execution,
            )


def _claim_alone(suspect: Suspect, look: _Look, execution: Execution) -> None:
    """A run that was held by a dead worker is the only one of its response."""
    claims = claim_runs([suspect.delivery], execution, alone=True)
    look.held += claims.held
    look.is_alone = bool(claims.held)
    claims.raise_failed()


def _delivery(offered: Offered) -> Delivery:
    """Build the delivery of an offer, as a message would name it."""
    message = RunMessage(
        tenant=offered.ref.tenant,
        attempt=offered.ref.id,
        due_at=offered.at,
        precision=Precision.SECOND,
        queue_key="",
    )
    return Delivery(message=message, id=str(offered.ref.id), receipt="")


def _ask_again(runs: Sequence[Handed], look: _Look, services: WorkerServices) -> timedelta:
    if runs:
        return timedelta(0)
    if look.has_more:
        return _FIRST_PAUSE
    if look.next_at is None:
        return ASK_AGAIN_WITHIN
    return max(look.next_at - services.clock.now(), timedelta(0))


def _report(
    wanted: PoolClaim, runs: Sequence[Handed], look: _Look, services: WorkerServices
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
