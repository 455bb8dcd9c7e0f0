"""Ticks: schedules invoke functions asynchronously, and Lambda keeps those it could not begin.

It repeats a throttled invocation with growing pauses until it is too old, and a failed one as often
as is deployed (``infra/stage/delivery.py``). A dropped invocation goes to the destination.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from infra.stage.delivery import TICK_MAX_AGE_SECONDS, TICK_RETRIES
from tests.crash.services.service import KIND, Service

MINUTE = timedelta(minutes=1)
#: Minutes from one tick of a function to its next.
EVERY = {"planner": 1, "sweeper": 1, "auditor": 5}
#: The longest pause before a throttled invocation is tried again.
_LONGEST_PAUSE = timedelta(minutes=5)


@dataclass(eq=False)
class Tick:
    """One asynchronous invocation that Lambda has accepted."""

    function: str
    event: dict[str, Any]
    #: The same for an invocation that comes twice.
    request_id: str
    sent_at: datetime
    next_at: datetime
    #: Times that no environment was free.
    throttled: int = 0
    #: Invocations that failed.
    failed: int = 0

    def is_stale(self, now: datetime) -> bool:
        """Return whether it is too old to be begun."""
        most = max(TICK_MAX_AGE_SECONDS, 60 * EVERY[self.function])
        return (now - self.sent_at).total_seconds() > most


class Ticks:
    """The schedules, and Lambda's queue of what they invoked."""

    def __init__(self, now: datetime) -> None:
        self.begin(now)

    def begin(self, now: datetime, service: Service = KIND) -> None:
        """A new story: nothing waits, and the next tick comes with the next minute."""
        self._service = service
        self.next_at = now.replace(second=0, microsecond=0) + MINUTE
        self.waiting: list[Tick] = []
        #: Ticks that Lambda dropped, for the destination.
        self.parked: list[Tick] = []
        #: Ticks of these functions do not come before then.
        self.silent_until: dict[str, datetime] = {}
        #: The auditor ticks as well, and the sweeper's ticks ask for looks.
        self.are_whole = False
        self._minutes = 0
        self._sent = 0

    def fire(self, now: datetime) -> None:
        """Send the ticks of this minute."""
        self.next_at = now.replace(second=0, microsecond=0) + MINUTE
        self._minutes += 1
        for function, every in EVERY.items():
            silent = now < self.silent_until.get(function, now)
            silent = silent or (function == "auditor" and not self.are_whole)
            if self._minutes % every == 0 and not silent:
                self.send(function, now, delay=self._service.tick_delay(function, self._minutes))

    def send(self, function: str, now: datetime, *, delay: timedelta = timedelta(0)) -> None:
        """Send one tick of a function; its schedule invokes it after a delay."""
        event: dict[str, Any] = {"shards": [0], "of": 1}
        if self.are_whole and function == "sweeper":
            event["looks"] = [0]
        self._sent += 1
        at = now + delay
        tick = Tick(function, event, f"tick-{self._sent}", sent_at=at, next_at=at)
        self.waiting += [replace(tick, next_at=at + each) for each in self._service.delays]

    def wakes_at(self) -> datetime:
        """Instant at which the next one is sent, or tried again."""
        return min([self.next_at, *(each.next_at for each in self.waiting)])

    def take(self, now: datetime) -> Tick | None:
        """The next one to begin, which is not in the queue any more; ``None``: there is none."""
        while ready := next((each for each in self.waiting if each.next_at <= now), None):
            self.waiting.remove(ready)
            if not ready.is_stale(now):
                return ready
            self.parked.append(ready)
        return None

    def throttle(self, tick: Tick, now: datetime) -> None:
        """No environment was free for it; that is no failure."""
        pause = min(timedelta(seconds=2**tick.throttled), _LONGEST_PAUSE)
        tick.throttled, tick.next_at = tick.throttled + 1, now + pause
        self.waiting.append(tick)

    def fail(self, tick: Tick, now: datetime) -> None:
        """Its invocation died or raised."""
        tick.failed += 1
        if tick.failed > TICK_RETRIES:
            self.parked.append(tick)
            return
        tick.next_at = now + MINUTE * tick.failed
        self.waiting.append(tick)
