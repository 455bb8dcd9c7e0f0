"""Work that takes time on a memory clock, and none on the wall."""

from datetime import datetime, timedelta

from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.execution.call import Answer, Call
from timegate.ports.call_runner import Target, TargetFailed


class MemoryWork:
    """A call that ends at an instant, or never."""

    def __init__(
        self, clock: MemoryClock, ends_at: datetime | None, closes_at: datetime | None
    ) -> None:
        self._clock = clock
        self._ends_at = ends_at
        self._closes_at = closes_at
        self._outcome: Answer | TargetFailed | None = None

    def run(self, target: Target, call: Call) -> None:
        """Do the call at once; its outcome shows when the work has ended."""
        try:
            self._outcome = target.invoke(call)
        except TargetFailed as failed:
            self._outcome = failed

    def wait(self, until: datetime) -> bool:
        """Move the clock to the end, no further than ``until``; whether the work has ended."""
        until = min(until, self._closes_at) if self._closes_at is not None else until
        if self._ends_at is not None and self._ends_at <= max(until, self._clock.now()):
            self._clock.wait_until(self._ends_at)
            return True
        self._clock.wait_until(until)
        return False

    def answer(self) -> Answer:
        """Return the target's answer; raises ``TargetFailed``."""
        if isinstance(self._outcome, TargetFailed):
            raise self._outcome
        if self._outcome is None:
            raise ValueError("the work was never begun")
        return self._outcome


class MemoryCallRunner:
    """The twin of ``ThreadedCallRunner``: no threads, no waiting."""

    def __init__(self, target: Target, clock: MemoryClock) -> None:
        self._target = target
        self._clock = clock
        #: How long each call takes; ``None`` means it never ends.
        self.takes: timedelta | None = timedelta(0)
        #: When the process is told to stop, if it is.
        self.closes_at: datetime | None = None

    @property
    def closing(self) -> bool:
        """The process is being stopped."""
        return self.closes_at is not None and self.closes_at <= self._clock.now()

    def start(self, call: Call) -> MemoryWork:
        """Begin a call."""
        ends_at = self._clock.now() + self.takes if self.takes is not None else None
        work = MemoryWork(self._clock, ends_at, self.closes_at)
        work.run(self._target, call)
        return work

    def stop(self, call: Call) -> None:
        """End what goes on without its call."""
        self._target.stop(call)
