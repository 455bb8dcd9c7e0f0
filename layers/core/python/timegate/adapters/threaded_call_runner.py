"""Calls on threads of their own, so that their supervisor can heartbeat and give up on them."""

from collections.abc import Callable
from concurrent.futures import Future
from datetime import datetime
from threading import Condition, RLock, Thread

from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import Target, TargetFailed
from timegate.ports.clock import Clock


class ThreadedWork:
    """A call under way on its thread."""

    def __init__(self, clock: Clock, door: "Door") -> None:
        self._clock = clock
        self._door = door
        self._outcome: Future[Answer] = Future()

    def wait(self, until: datetime) -> bool:
        """Wait for the call's end, no longer than ``until``, or until the call runner closes."""
        remaining = (until - self._clock.now()).total_seconds()
        self._door.wait_for(self._outcome.done, max(remaining, 0.0))
        return self._outcome.done()

    def answer(self) -> Answer:
        """The target's answer; raises ``TargetFailed``."""
        return self._outcome.result()

    def run(self, target: Target, call: Call) -> None:
        """Do the call and keep its outcome."""
        try:
            self._outcome.set_result(target.invoke(call))
        except TargetFailed as failed:
            self._outcome.set_exception(failed)
        except Exception as error:  # noqa: BLE001 - a target's bug must not kill its neighbours
            self._outcome.set_exception(TargetFailed(_crash(error)))
        finally:
            self._door.knock()


class Door:
    """A door at which supervisors wait: a knock lets them look, and closing lets them go."""

    def __init__(self) -> None:
        # Re-entrant: a signal handler may close while this very thread knocks.
        self._changed = Condition(RLock())
        self.closing = False

    def wait_for(self, ended: Callable[[], bool], seconds: float) -> None:
        """Wait until ``ended``, or closing, or for so long."""
        with self._changed:
            self._changed.wait_for(lambda: ended() or self.closing, seconds)

    def knock(self) -> None:
        """Something has ended."""
        with self._changed:
            self._changed.notify_all()

    def close(self) -> None:
        """Let every thread go."""
        self.closing = True
        self.knock()


class ThreadedCallRunner:
    """Starts each call on a daemon thread: one that never returns is abandoned, not awaited."""

    def __init__(self, target: Target, clock: Clock) -> None:
        self._target = target
        self._clock = clock
        self._door = Door()

    @property
    def closing(self) -> bool:
        """The process is being stopped."""
        return self._door.closing

    def close(self) -> None:
        """Wake every supervisor: what is under way is to be let go."""
        self._door.close()

    def start(self, call: Call) -> ThreadedWork:
        """Begin a call."""
        work = ThreadedWork(self._clock, self._door)
        Thread(target=work.run, args=(self._target, call), daemon=True).start()
        return work

    def stop(self, call: Call) -> None:
        """End what goes on without its call; raises ``TargetFailed``."""
        self._target.stop(call)


def _crash(error: Exception) -> Failure:
    return Failure(
        kind=FailureKind.RETRYABLE,
        code="executor_error",
        type=type(error).__name__,
        message=str(error) or "no message",
    )
