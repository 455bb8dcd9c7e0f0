"""The clock of a tick: no further ahead of the tick's own instant than a tick can be late."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from timegate.domain.values.instants import MILLISECOND
from timegate.ports.clock import Clock
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

#: A tick that is later is dropped on its way, by EventBridge Scheduler or by Lambda, and Scheduler
#: may send it a minute after its instant. So this span after its instant has not passed yet.
MOST_LATE = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class SetBackClock:
    """A clock that shows less than another one by a fixed span."""

    clock: Clock
    by: timedelta

    def now(self) -> datetime:
        """Aware UTC."""
        return self.clock.now() - self.by

    def wait_until(self, instant: datetime) -> None:
        """Return at ``instant`` of this clock, never before; at once if it has passed."""
        self.clock.wait_until(instant + self.by)


def tick_clock(event: Mapping[str, Any], clock: Clock, telemetry: Telemetry) -> Clock:
    """Return the clock to serve a tick by: the machine's, unless that is known to be ahead.

    ``event``: its ``at`` is the instant of the schedule, by EventBridge Scheduler's clock. A clock
    far ahead would call instants missed that have not come; the log says that it was set back.
    Without an instant the machine's.
    """
    at = _instant_of(event)
    ahead = clock.now() - (at + MOST_LATE) if at is not None else timedelta(0)
    if ahead <= timedelta(0):
        return clock
    telemetry.event(service_events.PLANNER_CLOCK_SET_BACK, at=at, by_ms=ahead // MILLISECOND)
    return SetBackClock(clock=clock, by=ahead)


def _instant_of(event: Mapping[str, Any]) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(event.get("at")))
    except ValueError:
        # A caller that invokes the function by hand, or a cloud that fills in no instant.
        return None
    return at if at.tzinfo is not None else None
