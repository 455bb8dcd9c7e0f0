"""A planner whose clock is ahead: its tick says when it was due, by another clock."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest

from infra.stage.delivery import TICK_MAX_AGE_SECONDS
from tests.functional.events.functions import Functions
from tests.support.factories import NOW, after
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import rfc3339
from timegate.ports.clock import Clock
from timegate.runtime.events.tick_clock import MOST_LATE, tick_clock

MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
TICK = {"shards": [0, 1], "of": 2}


@dataclass
class ClockAhead:
    """The clock of one machine."""

    clock: Clock
    by: timedelta

    def now(self) -> datetime:
        """Later than it is."""
        return self.clock.now() + self.by

    def wait_until(self, instant: datetime) -> None:
        """By this clock."""
        self.clock.wait_until(instant - self.by)


@pytest.mark.parametrize("minutes", [5, 10])
def test_no_instant_is_missed_by_a_planner_whose_clock_is_ahead(
    functions: Functions, monkeypatch: pytest.MonkeyPatch, minutes: int
) -> None:
    """Others planned the next five minutes; each instant after these has one run."""
    world, planner = functions.world, functions.handlers["planner"]
    skips = CatchUp(policy=CatchUpPolicy.SKIP)
    due = after(300)
    world.add_job(schedule=MINUTELY, anchored_at=after(-3600), next_run_at=due, catch_up=skips)
    ahead = ClockAhead(world.clock, timedelta(minutes=minutes))
    monkeypatch.setattr(planner, "services", replace(planner.services, clock=ahead))
    functions.send("planner", {**TICK, "at": rfc3339(NOW)})

    planned = sorted(each.id.run.scheduled_at for each in world.attempts())
    assert list(world.tables.gaps.values()) == []
    assert planned[:6] == [after(300 + 60 * each) for each in range(6)]


@pytest.mark.parametrize(
    ("seconds", "shown"), [(299, 299), (300, 300), (301, 300), (600, 300), (-60, -60)]
)
def test_a_clock_is_no_further_ahead_than_a_tick_is_late(
    functions: Functions, seconds: int, shown: int
) -> None:
    """A tick that was late on its way, and a clock that is behind, change nothing."""
    ahead = ClockAhead(functions.world.clock, timedelta(seconds=seconds))
    telemetry = MemoryTelemetry()
    clock = tick_clock({"at": "2026-11-21T07:00:00Z"}, ahead, telemetry)
    told = [(each.name, each.fields["by_ms"]) for each in telemetry.events]

    assert clock.now() == after(shown)
    assert told == [("planner_clock_set_back", 1000 * (seconds - shown))] * (seconds != shown)
    clock.wait_until(after(shown + 5))
    assert functions.world.clock.now() == after(5)


@pytest.mark.parametrize("at", [None, 7, "", "<aws.scheduler.scheduled-time>", "2026-11-21T07:00"])
def test_a_tick_without_an_instant_goes_by_the_machine(functions: Functions, at: object) -> None:
    """Invoked by hand, or by a cloud that fills nothing in."""
    clock, telemetry = functions.world.clock, MemoryTelemetry()

    assert tick_clock({"at": at}, clock, telemetry) is clock
    assert tick_clock({}, clock, telemetry) is clock
    assert telemetry.events == []


def test_a_tick_that_is_delivered_is_not_too_late() -> None:
    """It waits at both services for as long as it may, and is sent within a minute."""
    assert timedelta(seconds=2 * TICK_MAX_AGE_SECONDS + 60) == MOST_LATE
