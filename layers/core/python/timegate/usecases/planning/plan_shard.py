"""The planner's tick over one shard."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from itertools import chain, islice

from timegate.domain.dispatch.buckets import (
    FIRST_LOOK_BACK,
    INDEX_MARGIN,
    BucketProgress,
    Reading,
    progressed,
    second_look,
)
from timegate.domain.dispatch.shards import ShardTurn
from timegate.domain.jobs.job import Timing
from timegate.domain.values.errors import Throttled
from timegate.domain.values.instants import milliseconds_between, minute_start, minutes_between
from timegate.ports.clock import Clock
from timegate.ports.dispatch.cursors import CursorStore, Watcher
from timegate.ports.stores import Unreadable
from timegate.ports.telemetry import service_events, service_metrics
from timegate.usecases.dispatch.setbacks import Setbacks
from timegate.usecases.planning.fair_shares import FairShares
from timegate.usecases.planning.plan_step import Planner, plan_step
from timegate.usecases.restrictions.look_up_restrictions import RestrictionLookup
from timegate.usecases.services.planner_services import Scheduling
from timegate.value_classes import dataclass

#: A tick's lease on its shard: a planner that crashes costs the shard one tick.
SHARD_LEASE = timedelta(seconds=55)
#: Work stops here, which leaves time to store how far it came before the lease ends.
WORK_SHARE = 0.8
#: Jobs materialised together: their inserts and advances share batches.
JOBS_PER_STEP = 25
#: Buckets opened at once; nearly all are empty, and a long outage leaves tens of thousands.
READERS = 8
#: Steps under way at once; each is two or more calls that mostly wait.
WRITERS = 4


@dataclass(kw_only=True, slots=True)
class TickCounts:
    """Counts of a tick in its shard."""

    shard: int
    #: Every bucket before this instant was found empty.
    watermark: datetime
    jobs: int = 0
    runs: int = 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Bucket:
    minute: str
    #: Those to plan, soonest first.
    jobs: Iterator[Timing | Unreadable]


def plan_shard(
    turn: ShardTurn, scheduling: Scheduling, cursors: CursorStore, clock: Clock, *, owner: str
) -> TickCounts | None:
    """Materialise what is ripe in the look-ahead; ``None`` while another planner holds the shard.

    The present comes first: what an outage left behind is caught up after it, as far as the
    lease reaches, and the next tick goes on from the watermark. Then comes what is beyond a
    tenant's share (``fair_shares``), and last what a writer may have stored after the watermark
    had passed it. Raises what it met over single jobs, once all others have been planned.
    """
    now, shard = clock.now(), turn.shard
    cursor = cursors.acquire(
        Watcher.PLANNER,
        shard,
        owner=owner,
        now=now,
        until=now + SHARD_LEASE,
        start=turn.opened_at - FIRST_LOOK_BACK,
    )
    if cursor is None:
        scheduling.telemetry.event(service_events.SHARD_BUSY, shard=shard)
        return None
    before = cursor.progress
    present = minutes_between(now - INDEX_MARGIN, now + scheduling.look_ahead)
    planner = _planner_of(shard, scheduling, clock, now)
    tick = TickCounts(shard=shard, watermark=min(before.watermark, minute_start(present[0])))
    looks, apart = _plan_all(before, present, planner, tick)
    after = progressed(before, looks, apart, reached=minute_start(present[0]), now=now)
    tick.watermark = after.watermark
    cursors.release(cursor, after)
    _report(tick, scheduling, now, lag=milliseconds_between(before.watermark, now))
    planner.setbacks.raise_first()
    return tick


def _planner_of(shard: int, scheduling: Scheduling, clock: Clock, now: datetime) -> Planner:
    return Planner(
        shard=shard,
        scheduling=scheduling,
        clock=clock,
        lookup=RestrictionLookup(scheduling.restrictions, scheduling.calendars),
        began_at=now,
        deadline=now + SHARD_LEASE * WORK_SHARE,
        shares=FairShares(),
        setbacks=Setbacks(),
    )


def _plan_all(
    before: BucketProgress, present: Sequence[str], planner: Planner, tick: TickCounts
) -> tuple[list[Reading], Reading]:
    """Plan the present, then what is left; the looks at the past, and those kept apart."""
    now = planner.began_at
    first = min(before.read_from, now - INDEX_MARGIN)
    backlog = [m for m in minutes_between(first, now - INDEX_MARGIN) if m < present[0]]
    again = second_look(before.sealed, first, now=now)
    with ThreadPoolExecutor(max_workers=READERS) as pool:
        _plan_buckets(present, planner, tick, pool)
        looks = [_plan_buckets(backlog, planner, tick, pool)]
        _plan_the_rest(planner, tick, pool)
        looks.append(_plan_buckets(again, planner, tick, pool))
        return looks, _plan_buckets(before.apart, planner, tick, pool)


def _plan_buckets(
    minutes: Sequence[str], planner: Planner, tick: TickCounts, pool: ThreadPoolExecutor
) -> Reading:
    """Materialise every job in these buckets; those that were not found empty."""
    found = Reading()
    for start in range(0, len(minutes), READERS):
        group = minutes[start : start + READERS]
        if planner.is_over:
            found.unread = group[0]
            break
        for bucket in pool.map(lambda minute: _open(minute, planner), group):
            if bucket is not None:
                found.open.append(bucket.minute)
                waiting = planner.shares.sift(bucket.minute, bucket.jobs)
                with planner.setbacks.apart():
                    _plan_jobs(bucket.minute, waiting, planner, tick, pool)
    return found


def _plan_the_rest(planner: Planner, tick: TickCounts, pool: ThreadPoolExecutor) -> None:
    """Plan jobs beyond their tenants' shares while time is left; the next tick plans the rest."""
    shares = planner.shares
    for tenant, jobs in shares.exceeded.items():
        planner.scheduling.telemetry.count(service_metrics.JOBS_BEYOND_SHARE, jobs)
        planner.scheduling.telemetry.event(
            service_events.SHARE_EXCEEDED,
            tenant_id=tenant,
            shard=planner.shard,
            jobs=jobs,
            more=tenant in shares.flooding,
        )
    for minute, timings in shares.set_aside():
        with planner.setbacks.apart():
            _plan_jobs(minute, iter(timings), planner, tick, pool)
    shares.lift()
    for minute in shares.unread():
        bucket = _open(minute, planner)
        if bucket is not None:
            with planner.setbacks.apart():
                _plan_jobs(minute, bucket.jobs, planner, tick, pool)


def _open(minute: str, planner: Planner) -> _Bucket | None:
    """Read a bucket up to its first job to plan, so that those without are passed side by side.

    One that refuses to be read counts as one that is not empty.
    """
    jobs, flooding = planner.scheduling.jobs, planner.shares.flooding
    rest = filter(planner.plans, jobs.due(minute, planner.shard, passing_over=flooding))
    try:
        first = next(rest, None)
    except Throttled as error:
        planner.setbacks.keep(error)
        return _Bucket(minute=minute, jobs=iter(()))
    return _Bucket(minute=minute, jobs=chain([first], rest)) if first is not None else None


def _plan_jobs(
    minute: str,
    waiting: Iterator[Timing | Unreadable],
    planner: Planner,
    tick: TickCounts,
    pool: ThreadPoolExecutor,
) -> None:
    while not planner.is_over:
        steps: list[list[Timing | Unreadable]] = []
        while len(steps) < WRITERS and (step := list(islice(waiting, JOBS_PER_STEP))):
            steps.append(step)
        if not steps:
            return
        # For all of them at once: the steps find it there.
        with suppress(Throttled):
            planner.lookup.learn(
                each.tenant for step in steps for each in step if isinstance(each, Timing)
            )
        for done in pool.map(partial(plan_step, minute=minute, planner=planner), steps):
            tick.jobs += len(done.moved)
            tick.runs += done.runs_created


def _report(tick: TickCounts, scheduling: Scheduling, now: datetime, *, lag: int) -> None:
    scheduling.telemetry.measure(service_metrics.PLANNER_TICK_AGE_MS, lag)
    scheduling.telemetry.event(
        service_events.SHARD_PLANNED,
        shard=tick.shard,
        jobs=tick.jobs,
        runs=tick.runs,
        watermark=tick.watermark,
        at=now,
    )
