"""The sweeper's tick over one shard: nothing that was promised stays unlooked at."""

from datetime import timedelta

from timegate.domain.dispatch.buckets import (
    FIRST_LOOK_BACK,
    INDEX_MARGIN,
    progressed,
    second_look,
)
from timegate.domain.dispatch.shards import ShardTurn
from timegate.domain.values.instants import minutes_between
from timegate.ports.clock import Clock
from timegate.ports.dispatch.cursors import Watcher
from timegate.ports.telemetry import run_events, service_metrics
from timegate.usecases.sweeping.sweep_buckets import Sweep, sweep_buckets
from timegate.usecases.sweeping.sweeper_services import Sweeping
from timegate.usecases.sweeping.wake_overdue import wake_overdue, wake_rules
from timegate.value_classes import dataclass

#: Same as the planner's: a sweeper that crashes costs its shard one tick.
SHARD_LEASE = timedelta(seconds=55)
WORK_SHARE = 0.8
#: Operations and watches over rules are few, and not spread: the sweeper of this shard looks
#: after them.
OPERATIONS_WITH = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class Swept:
    """Counts of a sweep of one shard."""

    shard: int
    looked_at: int
    changed: int


def sweep_shard(turn: ShardTurn, sweeping: Sweeping, clock: Clock, *, owner: str) -> Swept | None:
    """Look at every attempt whose watch instant has passed; ``None`` if another sweeper does.

    Safe to run twice: every change is conditional on the attempt as it was read. Raises what it met
    over single records, once all others have been looked at.
    """
    now, shard = clock.now(), turn.shard
    cursor = sweeping.cursors.acquire(
        Watcher.SWEEPER,
        shard,
        owner=owner,
        now=now,
        until=now + SHARD_LEASE,
        start=turn.opened_at - FIRST_LOOK_BACK,
    )
    if cursor is None:
        return None
    edge = now - INDEX_MARGIN
    before = cursor.progress
    first = min(before.read_from, edge)
    deadline = now + SHARD_LEASE * WORK_SHARE
    sweep = Sweep(shard=shard, sweeping=sweeping, clock=clock, deadline=deadline)
    again = second_look(before.sealed, first, now=now)
    looks = [sweep_buckets(minutes, sweep) for minutes in (minutes_between(first, now), again)]
    apart = sweep_buckets(before.apart, sweep)
    if turn.shard == OPERATIONS_WITH:
        with sweep.setbacks.apart():
            wake_overdue(sweeping.operations, sweeping.telemetry, now=clock.now())
        with sweep.setbacks.apart():
            wake_rules(sweeping.rules, sweeping.telemetry, now=clock.now())
    sweeping.cursors.release(cursor, progressed(before, looks, apart, reached=edge, now=now))
    looked_at, changed = sweep.looked_at, sweep.changed
    sweeping.telemetry.count(service_metrics.WATCH_OVERDUE, sweep.overdue)
    sweeping.telemetry.event(
        run_events.SHARD_SWEPT, shard=shard, looked_at=looked_at, changed=changed
    )
    sweep.setbacks.raise_first()
    return Swept(shard=shard, looked_at=looked_at, changed=changed)
