"""A pair of regions in virtual time: promoted under a cut, nothing fires twice or is lost."""

from collections import Counter
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, job_id
from tests.support.moving.moves import minutes
from tests.support.regions.pair import HOME, LENGTH, OTHER, Region, TwoRegions
from tests.support.world import delivery
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.region_record import CALL_ENDS_WITHIN, CLOCK_MARGIN, FENCED_AFTER
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.identity import AttemptId
from timegate.usecases.regions.promote_region import act_alone, fence_region, promote_region
from timegate.usecases.regions.renew_region import Renewal

#: Spans of rates, in seconds.
RATES = (10, 60, 300)
BEGIN, CUT, PROMOTED, HEALED, END = (minutes(n) for n in (5, 15, 17, 27, 35))
LAGS = (timedelta(seconds=1), timedelta(seconds=45))


def opened(lag: timedelta = LAGS[0]) -> TwoRegions:
    """A pair whose first region fires jobs of several rates, which catch everything up."""
    pair = TwoRegions()
    pair.replication.lag = lag
    pair.run_until(minutes(1))
    for seconds in RATES:
        pair.home.add_job(
            job_id=job_id(f"each-{seconds}"),
            schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=seconds),
            anchored_at=NOW,
            next_run_at=BEGIN,
            catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=100),
            delivery=DeliveryMode.AT_LEAST_ONCE,
            pause_after_failures=2,
        )
    pair.run_until(CUT)
    return pair


def instants(until: datetime) -> set[tuple[str, datetime]]:
    """Each instant of each job, from the beginning on."""
    spans = {job_id(f"each-{seconds}"): seconds for seconds in RATES}
    return {
        (job, BEGIN + timedelta(seconds=number * seconds))
        for job, seconds in spans.items()
        for number in range(int((until - BEGIN).total_seconds() // seconds) + 1)
    }


def seen(until: datetime) -> set[tuple[str, datetime]]:
    """Instants that have been decided by then: those of the last seconds are on their way."""
    return instants(until - timedelta(seconds=30))


def called(region: Region) -> set[tuple[str, datetime]]:
    """Instants for which a region called the target."""
    calls = region.target.calls
    return {(each.attempt.run.job_id, each.attempt.run.scheduled_at) for each in calls}


def in_doubt(region: Region) -> set[tuple[str, datetime]]:
    """Instants that a region has on record as begun by the other one, perhaps."""
    runs = {
        (each.id.run.job_id, each.id.run.scheduled_at)
        for each in region.attempts()
        if each.reason is Reason.REGION_LOST
    }
    gaps = {
        (job, instant)
        for gap in region.tables.gaps.values()
        if gap.reason is Reason.REGION_LOST
        for job, instant in instants(END)
        if job == gap.job_id and gap.first <= instant <= gap.last
    }
    return runs | gaps


def ended_before(region: Region, instant: datetime) -> dict[AttemptId, RunState]:
    """Ends that a region has on record, of runs that were due before an instant."""
    return {each.id: each.state for each in region.attempts() if each.due_at < instant}


@pytest.mark.parametrize("lag", LAGS)
def test_nothing_fires_twice_and_nothing_is_unaccounted_under_a_cut(lag: timedelta) -> None:
    """The old region works on until its time ends, unheard of; the new one begins behind that."""
    pair = opened(lag)
    behind = pair.replication.behind(HOME)
    pair.replication.is_cut = True
    pair.run_until(PROMOTED)
    record = promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(HEALED)
    doubted = in_doubt(pair.other)
    here, there = called(pair.home), called(pair.other)
    times = {at for _, at in there}
    ended = record.lost_until
    assert ended is not None

    assert max(pair.fired().values()) == 1
    assert here | there | doubted >= seen(HEALED)
    # The old region never began what was due behind its time, nor the new one what was before.
    assert max(at for _, at in here) < ended <= min(times)
    assert ended <= CUT + LENGTH
    assert record.acts_from == ended + CLOCK_MARGIN + CALL_ENDS_WITHIN
    # Recovery point: in doubt is what was due since the last write that had arrived.
    assert min(at for _, at in doubted) >= CUT - behind - 2 * lag - timedelta(seconds=60)
    assert behind <= 2 * lag + timedelta(seconds=2)


@pytest.mark.parametrize("lag", LAGS)
def test_a_healed_link_brings_the_ends_and_the_old_region_stays_passive(lag: timedelta) -> None:
    """The last writer wins: whatever ended before the doubt stays in doubt, nothing runs again."""
    pair = opened(lag)
    pair.replication.is_cut = True
    pair.run_until(PROMOTED)
    promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(HEALED)
    pair.replication.is_cut = False
    pair.run_until(END)
    ends = [why for at, name, why in pair.renewals if at > HEALED and name == HOME]
    record = pair.home.records.read()

    assert max(pair.fired().values()) == 1
    assert called(pair.home) | called(pair.other) | in_doubt(pair.other) >= seen(END)
    assert record is not None
    assert (record.active, record.epoch) == (OTHER, 2)
    assert set(ends) <= {Renewal.PASSIVE, Renewal.SUCCEEDED}
    # Both have the same records again, but for those on their way.
    assert ended_before(pair.home, END - 3 * lag - timedelta(minutes=1)) == ended_before(
        pair.other, END - 3 * lag - timedelta(minutes=1)
    )


def test_a_planned_promotion_takes_seconds_and_leaves_little_in_doubt() -> None:
    """The fence ends the old region's time within forty seconds; no region waits for a promise."""
    pair = opened()
    fenced = fence_region(pair.home.records, HOME, now=pair.now)
    record = promote_region(OTHER, pair.other.records, fenced=fenced, now=pair.now)
    began = pair.now
    pair.run_until(HEALED)
    doubted = in_doubt(pair.other)
    first = min(at for _, at in called(pair.other))

    assert fenced.acts_until == began + FENCED_AFTER
    assert record.acts_from == began + FENCED_AFTER + CLOCK_MARGIN + CALL_ENDS_WITHIN
    assert max(pair.fired().values()) == 1
    assert called(pair.home) | called(pair.other) >= seen(HEALED) - doubted
    assert doubted == set()
    assert first >= began + FENCED_AFTER
    # Runs of the pause between both are late, and none is left out.
    assert first < record.acts_from


def test_runs_that_the_old_region_planned_ahead_are_on_time() -> None:
    """Its messages are in its own queues: the planner of the new region publishes the runs."""
    pair = opened()
    fenced = fence_region(pair.home.records, HOME, now=pair.now)
    record = promote_region(OTHER, pair.other.records, fenced=fenced, now=pair.now)
    pair.run_until(HEALED)
    # A planner's tick after the beginning, all is done that was late.
    settled = record.acts_from + timedelta(minutes=1)
    late = [
        each.started_at - each.due_at
        for each in pair.other.attempts()
        if each.started_at is not None and each.due_at > settled
    ]

    assert record.lost_until is not None
    assert any(
        each.created_at < record.lost_until and each.due_at > settled
        for each in pair.other.attempts()
    )
    assert max(late) <= timedelta(seconds=5)


def test_an_invocation_hears_of_a_fence_and_of_renewals() -> None:
    """It may work for a quarter of an hour, and begin runs all the time."""
    pair, renewed = opened(), opened()
    fencing, renewing = pair.home.execution(), renewed.home.execution()
    end = fence_region(pair.home.records, HOME, now=pair.now).acts_until
    pair.home.at_hand.forget()
    renewed.run_until(renewed.now + 2 * LENGTH)

    assert end is not None
    assert fencing.may_begin(end - timedelta(milliseconds=1), now=pair.now)
    assert not fencing.may_begin(end, now=pair.now)
    assert renewing.may_begin(renewed.now, now=renewed.now)


def test_the_way_back_is_the_same_way() -> None:
    """A promotion of the first region is one as any other; epochs count them."""
    pair = opened()
    fenced = fence_region(pair.home.records, HOME, now=pair.now)
    promote_region(OTHER, pair.other.records, fenced=fenced, now=pair.now)
    pair.run_until(minutes(23))
    fenced = fence_region(pair.other.records, OTHER, now=pair.now)
    record = promote_region(HOME, pair.home.records, fenced=fenced, now=pair.now)
    pair.run_until(END)

    assert record.epoch == 3
    assert max(pair.fired().values()) == 1
    assert called(pair.home) | called(pair.other) | in_doubt(pair.home) >= seen(END)
    assert max(at for _, at in called(pair.home)) > minutes(33)


def test_a_cut_alone_stops_the_active_region_and_costs_nothing_but_time() -> None:
    """Without a promotion it goes on when the link is back: what was due meanwhile is caught up."""
    pair = opened()
    pair.replication.is_cut = True
    pair.run_until(HEALED)
    stopped = called(pair.home)
    pair.replication.is_cut = False
    pair.run_until(END)

    assert max(at for _, at in stopped) < CUT + LENGTH
    assert max(pair.fired().values()) == 1
    assert called(pair.home) >= seen(END)
    assert called(pair.other) == set()


def test_an_active_region_may_go_on_alone() -> None:
    """The other region agrees to it before the link is cut, or is not there to be asked."""
    pair = opened()
    act_alone(HOME, pair.home.records, peer=pair.other.records)
    pair.replication.is_cut = True
    pair.run_until(HEALED)

    assert called(pair.home) >= seen(HEALED)


def test_a_run_under_way_at_the_promotion_is_on_record_and_its_end_is_the_truth() -> None:
    """It is in doubt until the old region's end arrives, which was written later, and wins."""
    pair = opened()
    pair.home.publisher.sent, held = [], pair.home.publisher.sent
    due = [each for each in held if each.message.due_at <= CUT + timedelta(minutes=1)]
    pair.run_until(CUT + timedelta(minutes=1))
    pair.replication.is_cut = True
    pair.home.hold([delivery(each, n) for n, each in enumerate(due)])
    under_way = {claimed.attempt.id for claimed, _ in pair.home.held}
    promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(HEALED)
    states = {each.id: each for each in pair.other.attempts() if each.id in under_way}

    assert under_way
    assert {each.reason for each in states.values()} == {Reason.REGION_LOST}
    assert {each.state for each in states.values()} == {RunState.DEAD_LETTERED}
    # Fences go on beyond those that the old region gave out.
    assert all(
        states[claimed.attempt.id].fence > claimed.lease.fence for claimed, _ in pair.home.held
    )


def test_runs_in_doubt_pause_no_job() -> None:
    """They say nothing about its target."""
    pair = opened()
    pair.replication.is_cut = True
    promote_region(OTHER, pair.other.records, fenced=None, now=pair.now)
    pair.run_until(END)
    pauses = Counter(job.timing.failure_pause is None for job in pair.other.tables.jobs.values())

    assert pauses == {True: len(RATES)}
