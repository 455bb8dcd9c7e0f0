"""The record of a region: when a region acts, and what a promotion waits for."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW
from timegate.domain.regions.region_record import (
    CALL_ENDS_WITHIN,
    CLOCK_MARGIN,
    FENCED_AFTER,
    LOOK_AGAIN_AT,
    RegionRecord,
)

HERE, THERE = "eu-west-1", "eu-central-1"
TICK = timedelta(milliseconds=1)
LENGTH = timedelta(minutes=5)
FIRST = RegionRecord.first(HERE, now=NOW)


def test_a_region_acts_from_its_beginning_to_before_its_end() -> None:
    """The other one never does; a record that was just made has no time at all."""
    record = replace(FIRST, acts_from=NOW, acts_until=NOW + LENGTH)

    assert not FIRST.acts(HERE, now=NOW)
    assert not record.acts(HERE, now=NOW - TICK)
    assert record.acts(HERE, now=NOW)
    assert record.acts(HERE, now=NOW + LENGTH - TICK)
    assert not record.acts(HERE, now=NOW + LENGTH)
    assert not record.acts(THERE, now=NOW)
    assert replace(record, acts_until=None).acts(HERE, now=NOW + timedelta(days=400))


def test_what_is_promised_there_is_what_is_taken_here() -> None:
    """Both records say the same end."""
    promise = FIRST.promised(now=NOW, length=LENGTH)
    own = FIRST.renewed(promise, rejoined=False)

    assert own == promise
    assert own.acts_until == NOW + LENGTH


@pytest.mark.parametrize(
    ("until", "end"),
    [
        (NOW + LENGTH, NOW + FENCED_AFTER),
        (NOW + FENCED_AFTER - TICK, NOW + FENCED_AFTER - TICK),
        (None, NOW + FENCED_AFTER),
    ],
)
def test_a_fence_ends_the_time_when_processes_have_read_it(
    until: datetime | None, end: datetime
) -> None:
    """It never prolongs it."""
    record = replace(FIRST, acts_until=until).fence(now=NOW)

    assert (record.acts_until, record.fenced) == (end, True)


def test_a_promoted_region_begins_when_the_other_ones_calls_have_ended() -> None:
    """By either clock; and not before it is promoted."""
    soon = FIRST.promoted(THERE, ended=NOW + LENGTH, now=NOW)
    late = FIRST.promoted(THERE, ended=NOW - timedelta(hours=1), now=NOW)

    assert soon.acts_from == NOW + LENGTH + CLOCK_MARGIN + CALL_ENDS_WITHIN
    assert (soon.epoch, soon.active, soon.lost_until) == (2, THERE, NOW + LENGTH)
    assert soon.acts_until is None
    assert late.acts_from == NOW


def test_planner_and_sweeper_owe_a_look_at_what_was_underway() -> None:
    """Numbers rise with each promotion, and with each link that is back."""
    second = FIRST.promoted(THERE, ended=NOW, now=NOW)
    rejoined = second.renewed(second.promised(now=NOW, length=LENGTH), rejoined=True)
    third = second.promoted(HERE, ended=NOW, now=NOW)
    looks = [each.owed_look for each in (second, rejoined, second.owing_a_look(), third)]
    numbers = [each.number for each in looks if each is not None]

    assert FIRST.owed_look is None
    assert looks[0] is not None
    assert looks[0].since == NOW - LOOK_AGAIN_AT
    assert numbers[0] < numbers[1] == numbers[2] < numbers[3]
