"""The sweeper's look at one shard, between two ticks: what has just become overdue."""

from datetime import datetime

from timegate.domain.dispatch.looks import LOOK_BACK
from timegate.domain.dispatch.shards import ShardTurn
from timegate.domain.values.instants import minutes_between
from timegate.ports.clock import Clock
from timegate.ports.telemetry import run_events
from timegate.usecases.sweeping.sweep_buckets import Sweep, sweep_buckets
from timegate.usecases.sweeping.sweep_shard import Swept
from timegate.usecases.sweeping.sweeper_services import Sweeping


def look_at_shard(
    turn: ShardTurn, sweeping: Sweeping, clock: Clock, *, deadline: datetime
) -> Swept:
    """Look at every attempt whose watch instant has just passed; begin nothing after ``deadline``.

    Takes no lease of the shard and moves no watermark, so that an idle look writes nothing. Two
    sweepers may look at once: each change is conditional on the attempt as it was read. Raises
    what it met over single records, once all others have been looked at.
    """
    now, shard = clock.now(), turn.shard
    sweep = Sweep(shard=shard, sweeping=sweeping, clock=clock, deadline=deadline)
    sweep_buckets(minutes_between(now - LOOK_BACK, now), sweep)
    if sweep.looked_at:
        sweeping.telemetry.event(
            run_events.SHARD_LOOKED_AT,
            shard=shard,
            looked_at=sweep.looked_at,
            changed=sweep.changed,
        )
    sweep.setbacks.raise_first()
    return Swept(shard=shard, looked_at=sweep.looked_at, changed=sweep.changed)
