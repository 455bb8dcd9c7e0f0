"""Commands of operators that die at any of their writes, while a pair of regions is at work."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest

from infra.admin.regions import PairAccess
from tests.support.factories import NOW, job_id
from tests.support.moving.dying import Dying
from tests.support.moving.moves import minutes
from tests.support.regions.operator import operating, with_open_shards
from tests.support.regions.pair import HOME, OTHER, Region, TwoRegions
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.region_errors import PromotionRefused
from timegate.domain.regions.region_record import RegionRecord
from timegate.domain.regions.region_step import RegionCommand, RegionStep
from timegate.domain.runs.run import Reason

JOB = job_id("minutely")
FIRST = minutes(2)
BEGIN = minutes(4) + timedelta(seconds=30)
END = minutes(20)
Command = Callable[[PairAccess], RegionRecord]


def promote(access: PairAccess) -> RegionRecord:
    """Take over from a region that answers."""
    return access.promote(unreachable=False, is_off=False, dry_run=False)


def take_over(access: PairAccess) -> RegionRecord:
    """Take over from a region that does not."""
    return access.promote(unreachable=True, is_off=False, dry_run=False)


def opened() -> TwoRegions:
    """A pair with a job of each minute, whose instants are all caught up."""
    pair = with_open_shards(TwoRegions())
    pair.run_until(minutes(1))
    pair.home.add_job(
        job_id=JOB,
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=60),
        anchored_at=NOW,
        next_run_at=FIRST,
        catch_up=CatchUp(policy=CatchUpPolicy.ALL, limit=100),
    )
    pair.run_until(BEGIN)
    return pair


def watch(pair: TwoRegions, until: datetime) -> None:
    """Let both regions work, of which one acts at a time."""
    while pair.now < until:
        pair.run_until(pair.now + timedelta(seconds=pair.step))
        assert sum(each.at_hand.acts() for each in pair.regions) <= 1


def meet(pair: TwoRegions, name: str, command: Command, struck: str, *, after: bool) -> None:
    """Give a command whose process dies at its write in one region, and give it again later."""

    def around(region: str, engine: Any) -> Any:  # noqa: ANN401 - any engine
        return Dying(engine, 1, after=after) if region == struck else engine

    with pytest.raises(SystemExit):
        command(operating(pair, name, around))
    watch(pair, pair.now + timedelta(seconds=40))
    command(operating(pair, name))


def steps(region: Region) -> list[tuple[RegionCommand, int]]:
    """Steps on a region's record and the epochs of their records, oldest first."""
    found: tuple[RegionStep, ...] = region.records.steps()
    return [(each.command, each.record.epoch) for each in reversed(found)]


def assert_accounted(pair: TwoRegions) -> None:
    """Assert that each instant fired once, in either region, or is in doubt."""
    fired = pair.fired()
    called = {call.attempt.run.scheduled_at for each in pair.regions for call in each.target.calls}
    doubted = {
        run.id.run.scheduled_at
        for each in pair.regions
        for run in each.attempts()
        if run.reason is Reason.REGION_LOST
    }
    due = (FIRST + timedelta(minutes=number) for number in range(100))

    assert max(fired.values()) == 1
    assert called | doubted >= {each for each in due if each < pair.now - timedelta(seconds=90)}


@pytest.mark.parametrize(("struck", "after"), list(product((HOME, OTHER), (False, True))))
def test_a_promotion_that_dies_is_taken_up_again(struck: str, *, after: bool) -> None:
    """Each change has its step, once; the region that was fenced waits for either end of it."""
    pair = opened()
    meet(pair, OTHER, promote, struck, after=after)
    watch(pair, END)

    assert steps(pair.home) == [(RegionCommand.PROMOTE, 1)]
    assert steps(pair.other) == [(RegionCommand.PROMOTE, 2)]
    assert pair.other.at_hand.acts()
    assert_accounted(pair)


@pytest.mark.parametrize("after", [False, True])
def test_a_takeover_that_dies_is_taken_up_again(*, after: bool) -> None:
    """The region that is lost is asked nothing."""
    pair = opened()
    pair.home.is_down = pair.replication.is_cut = True
    meet(pair, OTHER, take_over, OTHER, after=after)
    watch(pair, END)

    assert steps(pair.home) == []
    assert steps(pair.other) == [(RegionCommand.PROMOTE, 2)]
    assert pair.other.at_hand.acts()
    assert_accounted(pair)


@pytest.mark.parametrize(("struck", "after"), list(product((HOME, OTHER), (False, True))))
def test_a_way_back_that_dies_is_taken_up_again(struck: str, *, after: bool) -> None:
    """The next try gives back a region that was fenced for it, like any promotion."""
    pair = opened()
    promote(operating(pair, OTHER))
    watch(pair, minutes(9) + timedelta(seconds=30))
    meet(pair, HOME, lambda access: access.fail_back(dry_run=False), struck, after=after)
    watch(pair, END)

    assert steps(pair.home) == [(RegionCommand.PROMOTE, 1), (RegionCommand.FAIL_BACK, 3)]
    assert steps(pair.other) == [(RegionCommand.PROMOTE, 2), (RegionCommand.FAIL_BACK, 2)]
    assert pair.home.at_hand.acts()
    assert_accounted(pair)


@pytest.mark.parametrize(("struck", "after"), list(product((HOME, OTHER), (False, True))))
def test_an_active_region_that_dies_on_its_way_to_be_alone_is_so_at_last(
    struck: str, *, after: bool
) -> None:
    """The other region's promise comes first: one that is promoted meanwhile refuses it."""
    pair = opened()
    meet(pair, HOME, lambda access: access.alone(unreachable=False), struck, after=after)
    pair.other.is_down = pair.replication.is_cut = True
    watch(pair, END)

    assert {command for command, _ in steps(pair.home)} == {RegionCommand.ALONE}
    assert pair.home.at_hand.acts()
    assert_accounted(pair)


def test_a_passive_region_writes_nothing_at_its_ticks() -> None:
    """Nor does one whose record cannot be read: its invocation fails, and the next one asks."""
    pair = opened()
    watch(pair, minutes(8))
    ticked = pair.replication.written_in(OTHER)
    pair.other.at_hand.forget()
    pair.other.records.read, reading = _unreadable, pair.other.records.read  # type: ignore[method-assign]
    with pytest.raises(ConnectionError):
        pair.other.work(minute=True)
    pair.other.records.read = reading  # type: ignore[method-assign]
    watch(pair, minutes(12))

    assert ticked == pair.replication.written_in(OTHER) == 0
    assert pair.replication.written_in(HOME) > 0
    assert pair.other.target.calls == []


def test_a_promotion_in_each_direction_at_once_is_refused_to_one() -> None:
    """A region that is fenced for the other one takes nothing back by itself."""
    pair = opened()
    promote(operating(pair, OTHER))
    with pytest.raises(PromotionRefused):
        promote(operating(pair, HOME))
    watch(pair, END)

    assert pair.other.at_hand.acts()
    assert_accounted(pair)


def _unreadable() -> RegionRecord | None:
    raise ConnectionError
