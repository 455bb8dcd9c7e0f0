"""Time that stands still while an actor works, and work that waits for its turn.

Threads of the code under test wait by handing the turn back to the keeper of the agenda, so that
one of them runs at a time, and their order is the agenda's.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from threading import Event, Thread

from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure
from timegate.ports.call_runner import TargetFailed

#: A test that hangs is worse than one that fails.
_PATIENCE_SECONDS = 30


class Stage(MemoryClock):
    """A clock on which waiting lets others go on."""

    def __init__(self, now: datetime) -> None:
        super().__init__(now)
        self._turn = Event()
        self._waiting: tuple[datetime, Event] | None = None
        self._fault: BaseException | None = None

    def wait_until(self, instant: datetime) -> None:
        """Come back at ``instant``; what has passed is not waited for."""
        if instant <= self.now():
            return
        resume = Event()
        self._waiting = instant, resume
        self._turn.set()
        resume.wait()

    def perform(self, act: Callable[[], object]) -> tuple[datetime, Event] | None:
        """Let an actor work until it waits or is done: when it goes on, and what lets it."""

        def work() -> None:
            try:
                act()
            except BaseException as fault:  # noqa: BLE001 - raised where the test sees it
                self._fault = fault
            finally:
                self._turn.set()

        return self._until_next(Thread(target=work, daemon=True).start)

    def resume(self, waiting: Event) -> tuple[datetime, Event] | None:
        """Let him go on; as ``perform``."""
        return self._until_next(waiting.set)

    def _until_next(self, go: Callable[[], None]) -> tuple[datetime, Event] | None:
        self._turn.clear()
        self._waiting = None
        go()
        assert self._turn.wait(_PATIENCE_SECONDS)
        if self._fault is not None:
            raise self._fault
        return self._waiting


class StagedWork:
    """A call that ends at an instant."""

    def __init__(self, stage: Stage, ends_at: datetime, failure: Failure | None) -> None:
        self._stage = stage
        self._ends_at = ends_at
        self._failure = failure

    def wait(self, until: datetime) -> bool:
        """Wait until the instant and tell if the work has ended."""
        self._stage.wait_until(min(self._ends_at, until))
        return self._ends_at <= max(until, self._stage.now())

    def answer(self) -> Answer:
        """It succeeds, unless it was to fail."""
        if self._failure is not None:
            raise TargetFailed(self._failure)
        return Answer(text="ok")


class StagedCallRunner:
    """Calls that take as long as they are told to."""

    def __init__(
        self,
        stage: Stage,
        takes: Callable[[Call], timedelta],
        fails: Callable[[Call], Failure | None],
    ) -> None:
        self._stage = stage
        self._takes = takes
        self._fails = fails

    @property
    def closing(self) -> bool:
        """Return ``False``: the stage never closes."""
        return False

    def start(self, call: Call) -> StagedWork:
        """Begin a call."""
        ends_at = self._stage.now() + self._takes(call)
        return StagedWork(self._stage, ends_at, self._fails(call))
