"""Runs begin in the time of their region alone, while the clock goes on between two looks at it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, after
from tests.support.regions.pair import HOME, OTHER, RECORDS
from tests.support.world import World
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.regions.region_record import RegionRecord
from timegate.usecases.regions.region_at_hand import RegionAtHand

SECOND = timedelta(seconds=1)


@dataclass
class MovingClock:
    """A clock that is a little later at each look."""

    at: datetime

    def now(self) -> datetime:
        """Return the time."""
        self.at += timedelta(microseconds=1)
        return self.at

    def wait_until(self, instant: datetime) -> None:
        """Go on to an instant."""
        self.at = max(self.at, instant)


def begins(record: RegionRecord | None, *, due_at: datetime) -> bool:
    """Tell if a run of an instant begins now in the first region."""
    store, clock = DynamoRegionStore(MemoryEngine(), table=RECORDS), MovingClock(NOW)
    if record is not None:
        assert store.replace(None, record)
    region = RegionAtHand(store, HOME, clock)
    now = clock.now()
    execution = World().execution(begins_until=region.begins_until)
    return execution.may_begin(due_at, now=now)


ACTIVE = RegionRecord.first(HOME, now=NOW - 60 * SECOND)


@pytest.mark.parametrize(
    ("record", "due_at", "begun"),
    [
        (ACTIVE.promised(now=NOW, length=60 * SECOND), NOW, True),
        (ACTIVE.promised(now=NOW, length=60 * SECOND), after(60), False),
        (ACTIVE.alone(), after(60), True),
        (ACTIVE.promised(now=NOW - 60 * SECOND, length=60 * SECOND), NOW - SECOND, False),
        (ACTIVE.promoted(HOME, ended=NOW, now=NOW), NOW - SECOND, False),
        (RegionRecord.first(OTHER, now=NOW), NOW - SECOND, False),
        (None, NOW - SECOND, False),
    ],
    ids=["in-time", "behind-it", "alone", "ended", "promoted-soon", "passive", "no-record"],
)
def test_a_run_begins_in_the_time_of_its_region(
    record: RegionRecord | None, due_at: datetime, *, begun: bool
) -> None:
    """A passive region begins none, however little later its clock is read."""
    assert begins(record, due_at=due_at) is begun
