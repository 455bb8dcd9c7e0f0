"""Cron at every change of every zone's clock in 2000 to 2037, against both oracles.

For each change some expressions are drawn that have to do with it. A change always draws the
same ones, so that a failure comes back. ``make test`` looks at each sixth change,
``make oracles`` at all of them.
"""

import os
import random
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim, CronSimError

from tests.property.recurrence.oracles.wall_oracle import DAY, Policies, Window, fires_of
from tests.property.recurrence.oracles.zone_transitions import (
    FIRST,
    LAST,
    SECOND,
    Transition,
    changes_in,
    transitions,
    zones,
)
from tests.property.recurrence.strategies.cron_strategies import Cron
from tests.property.recurrence.strategies.generated_crons import generated
from tests.property.recurrence.test_cron_against_minutes import found_of
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy

ALL = os.environ.get("TIMEGATE_ORACLES") == "all"
#: Each so many changes are looked at.
STRIDE = 1 if ALL else 6
EXPRESSIONS = 4
#: Parts for the processes that work side by side.
SHARDS = 8
HOUR = timedelta(hours=1)

shards = pytest.mark.parametrize("shard", range(SHARDS))


def cases(shard: int) -> Iterator[tuple[Transition, Window, Cron, Policies]]:
    """Changes, the day before and the day after each, and expressions with their policies."""
    for transition in transitions()[shard * STRIDE :: SHARDS * STRIDE]:
        lot = random.Random(f"{transition.zone} {transition.instant}")
        window = Window(transition.zone, transition.instant - DAY, days=2)
        for _ in range(EXPRESSIONS):
            cron = generated(transition, lot)
            gap, fold = lot.choice([*GapPolicy]), lot.choice([*FoldPolicy])
            dst = lot.choice([None, None, *DstPolicy])
            yield transition, window, cron, Policies(gap, fold, dst)


def cronsim_fires(cron: Cron, window: Window) -> list[datetime]:
    """Return cronsim's instants in a window."""
    found: list[datetime] = []
    try:
        start = (window.begin - SECOND).astimezone(ZoneInfo(window.zone))
        for fire in CronSim(cron.text, start):
            if fire >= window.end:
                break
            found.append(fire.astimezone(UTC))
    except CronSimError:
        assert not parse_cron(cron.text).can_match
    return found


def loses_cronsim(transition: Transition, cron: Cron) -> bool:
    """An interval, and a clock that changes by less than an hour, or off the hour, or at midnight.

    Each way in which cronsim goes wrong then is a test of ``test_cron_against_cronsim``; the
    minutes judge these expressions alone.
    """
    earlier, later = transition.walls
    on_the_hour = earlier.minute == 0 and abs(transition.jump) % HOUR == timedelta()
    return cron.is_interval and (not on_the_hour or earlier.hour == 0 or later.hour == 0)


@shards
def test_cron_fires_as_the_wall_shows_it(shard: int) -> None:
    """Every minute of the two days around a change, under every policy."""
    for _, window, cron, policies in cases(shard):
        expected = fires_of(cron, window, policies)
        found = found_of(cron, window, policies, window.begin)

        assert expected == found, (window, cron.text, policies)


@shards
def test_cronsim_names_the_same_instants(shard: int) -> None:
    """Five fields and its only policies; where it reads alike, and does not lose its way."""
    for transition, window, cron, *_ in cases(shard):
        comparable = cron.second is None and cron.is_read_alike
        if not comparable or loses_cronsim(transition, cron):
            continue
        found = found_of(cron, window, Policies(), window.begin)

        assert cronsim_fires(cron, window) == found, (window, cron.text)


def test_changes_are_all_there_is() -> None:
    """Between them no clock is changed: offsets at instants drawn by lot are those listed."""
    lot = random.Random("instants")
    for changes, names in zones().items():
        if not changes:
            continue
        when = [instant for instant, _, _ in changes]
        zone = ZoneInfo(names[-1])
        for _ in range(100):
            instant = FIRST + lot.random() * (LAST - FIRST)
            index = bisect_right(when, instant)
            expected = changes[index - 1][2] if index else changes[0][1]

            assert instant.astimezone(zone).utcoffset() == expected


def test_changes_are_those_of_the_database() -> None:
    """Two a year in Berlin; thousands in all; Apia leaves out a day, Lord Howe half an hour."""
    berlin = changes_in("Europe/Berlin")
    jumps = {transition.jump for transition in transitions()}

    assert len(berlin) == 2 * 38
    assert berlin[0] == (datetime(2000, 3, 26, 1, tzinfo=UTC), HOUR, 2 * HOUR)
    assert len(transitions()) > 5000
    assert {DAY, HOUR, -HOUR, HOUR / 2, -HOUR / 2} <= jumps


def test_changes_are_found_at_any_stride() -> None:
    """Days would find no more; the complete sweep looks at every zone."""
    names = [names[0] for names in zones().values()]
    for name in names if ALL else names[::10]:
        assert changes_in(name, DAY) == changes_in(name)
