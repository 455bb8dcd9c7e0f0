"""Renewals and promotions: their refusals, and processes that die at any of their writes."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after
from tests.support.moving.dying import Dying
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.engine import MemoryEngine
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.regions.region_errors import PromotionRefused
from timegate.domain.regions.region_record import FENCED_AFTER, RegionRecord
from timegate.usecases.regions.promote_region import (
    act_alone,
    fence_region,
    look_again,
    promote_region,
)
from timegate.usecases.regions.region_at_hand import RegionAtHand
from timegate.usecases.regions.renew_region import RegionPair, Renewal, renew_region

HERE, THERE = "eu-west-1", "eu-central-1"
LENGTH = timedelta(minutes=5)
FIRST = RegionRecord.first(HERE, now=NOW)


class Pair:
    """Two regions' records, and who renews."""

    def __init__(self) -> None:
        self.engines = {name: MemoryEngine() for name in (HERE, THERE)}
        self.telemetry = MemoryTelemetry()

    def store(self, name: str, engine: Any = None) -> DynamoRegionStore:  # noqa: ANN401 - one that dies
        """The record of a region."""
        return DynamoRegionStore(engine or self.engines[name], table="region")

    def renew(self, name: str = HERE, *, now: datetime = NOW, engine: Any = None) -> Renewal:  # noqa: ANN401
        """A tick of a region's planner; ``engine``: that of the other one's table."""
        peer = THERE if name == HERE else HERE
        pair = RegionPair(
            region=name,
            home=HERE,
            own=self.store(name),
            peer=self.store(peer, engine),
            length=LENGTH,
            telemetry=self.telemetry,
        )
        return renew_region(pair, now=now)

    def read(self, name: str) -> RegionRecord:
        """A record that is there."""
        found = self.store(name).read()
        assert found is not None
        return found

    def acting(self, now: datetime) -> set[str]:
        """Regions that act."""
        stored = {name: self.store(name).read() for name in self.engines}
        return {name for name, each in stored.items() if each and each.acts(name, now=now)}


def test_the_home_region_begins_and_the_other_one_waits() -> None:
    """Without any record; the promise is written before it is taken."""
    pair = Pair()
    ends = [pair.renew(THERE), pair.renew(HERE), pair.renew(THERE)]

    assert ends == [Renewal.PASSIVE, Renewal.RENEWED, Renewal.PASSIVE]
    assert pair.read(HERE) == pair.read(THERE) == replace(FIRST, acts_until=NOW + LENGTH)
    assert pair.acting(NOW) == {HERE}
    assert pair.telemetry.counts["RegionRenewalsFailed"] == 0


@pytest.mark.parametrize("is_after", [False, True])
def test_a_tick_that_dies_leaves_no_region_that_acts_unpromised(is_after: bool) -> None:
    """Before its promise nothing is taken; behind it, too little is."""
    pair = Pair()
    pair.renew()
    with pytest.raises(SystemExit):
        pair.renew(now=after(60), engine=Dying(pair.engines[THERE], 1, after=is_after))
    own, promise = pair.read(HERE).acts_until, pair.read(THERE).acts_until
    again = pair.renew(now=after(120))

    assert own is not None
    assert promise is not None
    assert own == NOW + LENGTH <= promise
    assert again is Renewal.RENEWED
    assert pair.read(HERE).acts_until == pair.read(THERE).acts_until == after(120) + LENGTH


def test_a_fenced_region_is_not_renewed_until_one_is_promoted() -> None:
    """Each failed renewal is counted, for an alarm."""
    pair = Pair()
    pair.renew()
    fenced = fence_region(pair.store(HERE), HERE, now=after(60))
    again = fence_region(pair.store(HERE), HERE, now=after(90))

    assert pair.renew(now=after(61)) is Renewal.FENCED
    assert fenced == again == pair.read(HERE)
    assert pair.telemetry.counts["RegionRenewalsFailed"] == 1
    assert pair.acting(after(99)) == {HERE}
    assert pair.acting(after(100)) == set()


def test_a_renewal_after_a_promotion_hands_the_stage_over() -> None:
    """The next one of the new region writes the old one's record again, as a promise."""
    pair = Pair()
    pair.renew()
    record = promote_region(THERE, pair.store(THERE), fenced=None, now=after(60))
    ends = [pair.renew(HERE, now=after(120)), pair.renew(HERE, now=after(180))]
    alone = pair.read(THERE)
    ends.append(pair.renew(THERE, now=after(180)))
    looks = [each.owed_look for each in (alone, pair.read(THERE))]

    assert ends == [Renewal.SUCCEEDED, Renewal.PASSIVE, Renewal.RENEWED]
    assert alone == record
    assert record.acts_until is None
    assert pair.read(HERE).acts_until == pair.read(THERE).acts_until == after(180) + LENGTH
    assert looks[0] is not None
    assert looks[1] is not None
    assert looks[0].number < looks[1].number


@pytest.mark.parametrize("seconds", range(0, 600, 7))
@pytest.mark.parametrize("is_fenced", [False, True])
def test_no_two_regions_act_at_any_time(seconds: int, is_fenced: bool) -> None:
    """The instant of the promotion and further ticks of the old region change nothing."""
    pair = Pair()
    for tick in range(0, seconds + 1, 60):
        pair.renew(HERE, now=after(tick))
    now = after(seconds)
    fenced = fence_region(pair.store(HERE), HERE, now=now) if is_fenced else None
    record = promote_region(THERE, pair.store(THERE), fenced=fenced, now=now)
    for second in range(seconds, seconds + 900, 5):
        if second % 60 == 0 and second > seconds:
            pair.renew(HERE, now=after(second))
        assert len(pair.acting(after(second))) <= 1
    end = now + FENCED_AFTER if is_fenced else after(seconds // 60 * 60) + LENGTH

    assert record.lost_until == end
    assert pair.acting(record.acts_from) == {THERE}


def test_a_promotion_is_repeated_and_refused() -> None:
    """Its record is shown again; what cannot be says why."""
    pair = Pair()
    with pytest.raises(PromotionRefused, match="never asked"):
        promote_region(THERE, pair.store(THERE), fenced=None, now=NOW)
    with pytest.raises(PromotionRefused, match="never been active"):
        fence_region(pair.store(HERE), HERE, now=NOW)
    pair.renew()
    stale = replace(pair.read(HERE), epoch=7)
    with pytest.raises(PromotionRefused, match="epoch 7 there and 1 here"):
        promote_region(THERE, pair.store(THERE), fenced=stale, now=NOW)
    with pytest.raises(PromotionRefused, match="eu-west-1 is the active region"):
        fence_region(pair.store(THERE), THERE, now=NOW)
    assert pair.read(THERE) == pair.read(HERE)
    done = promote_region(THERE, pair.store(THERE), fenced=None, now=NOW)

    assert promote_region(THERE, pair.store(THERE), fenced=None, now=after(99)) == done


def test_a_fence_is_taken_back_by_going_on_alone() -> None:
    """A promotion of the region that is active would say that nothing is wrong."""
    pair = Pair()
    pair.renew()
    fence_region(pair.store(HERE), HERE, now=NOW)
    with pytest.raises(PromotionRefused, match="fenced"):
        promote_region(HERE, pair.store(HERE), fenced=None, now=after(60))
    act_alone(HERE, pair.store(HERE), peer=pair.store(THERE))

    assert pair.renew(now=after(120)) is Renewal.RENEWED
    assert pair.acting(after(120)) == {HERE}


@pytest.mark.parametrize("ahead", [0, 15, 30])
def test_no_process_acts_beyond_a_fence_whatever_its_clock(ahead: int) -> None:
    """It read the record just before, and reads it again ten seconds later by its own clock."""
    pair = Pair()
    pair.renew()
    clock = MemoryClock(after(ahead))
    region = RegionAtHand(pair.store(HERE), HERE, clock)
    acted = [clock.now()] if region.acts() else []
    fenced = fence_region(pair.store(HERE), HERE, now=NOW)
    for _ in range(600):
        clock.advance(0.1)
        acted += [clock.now()] if region.acts() else []

    assert fenced.acts_until == NOW + FENCED_AFTER
    assert acted
    assert max(acted) < fenced.acts_until


def test_a_region_that_acts_alone_is_fenced_or_answered_for() -> None:
    """It has no end that the other one could wait for."""
    pair = Pair()
    pair.renew()
    alone = act_alone(HERE, pair.store(HERE), peer=pair.store(THERE))
    with pytest.raises(PromotionRefused, match="without an end"):
        promote_region(THERE, pair.store(THERE), fenced=None, now=after(60))
    record = promote_region(THERE, pair.store(THERE), fenced=None, is_off=True, now=after(60))

    assert alone == pair.read(HERE)
    assert pair.acting(after(9_999)) == {HERE, THERE}, "an operator answered for it"
    assert record.lost_until == after(60)


def test_alone_is_refused_for_a_region_that_is_not_active() -> None:
    """Neither for one that was succeeded."""
    pair = Pair()
    pair.renew()
    with pytest.raises(PromotionRefused, match="not the active one"):
        act_alone(THERE, pair.store(THERE), peer=None)
    promote_region(THERE, pair.store(THERE), fenced=None, now=after(60))
    with pytest.raises(PromotionRefused, match="was promoted"):
        act_alone(HERE, pair.store(HERE), peer=pair.store(THERE))


def test_a_look_is_owed_again() -> None:
    """Each time with a higher number."""
    pair = Pair()
    pair.renew()
    promote_region(THERE, pair.store(THERE), fenced=None, now=after(60))
    numbers = [look_again(pair.store(THERE)).looks for _ in range(2)]

    assert numbers[1] == numbers[0] + 1
    assert pair.read(THERE).looks == numbers[1]
