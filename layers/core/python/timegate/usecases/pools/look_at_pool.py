"""Looking at a pool for a worker: what is due is leased, most urgent first."""

import random
from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision, Priority
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import Offered, Shelf
from timegate.ports.telemetry import run_events
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.claims.consider_run import Suspect
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass

#: More are looked at than are wanted: others claim them, and the index lags behind.
_SPARE = 15
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


@dataclass(kw_only=True, slots=True)
class PoolLook:
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


def look_at_pool(
    wanted: PoolClaim, services: WorkerServices, execution: Execution, now: datetime
) -> PoolLook:
    """Claim what is due, most urgent first, until there is enough.

    A failure ends the look. Runs that are leased by then reach their worker all the same: it would
    be taken for dead, and the runs for what killed it. A paused pool is looked at no further.
    """
    pause = services.pools.pause(wanted.tenant, wanted.pool)
    if pause is not None and pause.is_active(now):
        return _paused(pause, now)
    execution = replace(execution, pool_pause=pause)
    look = PoolLook()
    try:
        _claim_due(wanted, look, services, execution, now)
    except Exception as error:
        if not look.held:
            raise
        code = getattr(error, "code", type(error).__name__)
        execution.telemetry.event(run_events.CLAIM_FAILED, code=code, messages=1)
    return look


def _paused(pause: PoolPause, now: datetime) -> PoolLook:
    """A pause may be ended by a caller at any time: it is looked at as often as an empty pool."""
    near = [each for each in [pause.ends_at] if each and each <= now + ASK_AGAIN_WITHIN]
    return PoolLook(pause=pause, upcoming=near)


def _claim_due(
    wanted: PoolClaim,
    look: PoolLook,
    services: WorkerServices,
    execution: Execution,
    now: datetime,
) -> None:
    """Claim what is due, by priority, as soon as there is enough of it.

    So a suspect is seen beside the more urgent runs of its response, before these are claimed.
    """
    due: list[Offered] = []
    for priority in Priority:
        if look.is_over(wanted):
            return
        try:
            due += _due(priority, wanted, look, services, now)
        except Exception:
            _claim_in_turn(due, wanted, look, services, execution)
            raise
        if len(due) >= wanted.max_runs:
            _claim_in_turn(due, wanted, look, services, execution)
            due = []
    _claim_in_turn(due, wanted, look, services, execution)


def _due(
    priority: Priority, wanted: PoolClaim, look: PoolLook, services: WorkerServices, now: datetime
) -> list[Offered]:
    """Return the offers of a priority that are due, in turn."""
    offered = services.pools.offered(
        Shelf(tenant=wanted.tenant, pool=wanted.pool, priority=priority),
        until=now + ASK_AGAIN_WITHIN,
        limit=wanted.max_runs + _SPARE,
        handlers=wanted.handlers,
    )
    look.upcoming += [each.at for each in offered if each.at > now]
    due = [each for each in offered if each.at <= now]
    look.has_more |= len(due) > _SPARE
    return _in_turn(due)


def _claim_in_turn(
    due: Sequence[Offered],
    wanted: PoolClaim,
    look: PoolLook,
    services: WorkerServices,
    execution: Execution,
) -> None:
    while due and not look.is_over(wanted):
        size = wanted.max_runs - len(look.held)
        _claim(due[:size], look, services, execution)
        due = due[size:]


def _in_turn(due: Sequence[Offered]) -> list[Offered]:
    """By due second; within one in no order, or all workers would contend for the same runs."""
    return sorted(due, key=lambda each: (int(each.at.timestamp()), random.random()))  # noqa: S311


def _claim(
    offered: Sequence[Offered], look: PoolLook, services: WorkerServices, execution: Execution
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


def _claim_alone(suspect: Suspect, look: PoolLook, execution: Execution) -> None:
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
