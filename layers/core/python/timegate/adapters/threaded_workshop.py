"""Calls on threads of their own, so that their supervisor can heartbeat and give up on them."""

from concurrent.futures import Future
from datetime import datetime
from threading import Event, Thread

from timegate.domain.call import Answer, Call
from timegate.domain.retry import Failure, FailureKind
from timegate.ports.surroundings import Clock, Target, TargetFailed


class ThreadedWork:
    """A call under way on its thread."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ended = Event()
        self._outcome: Future[Answer] = Future()

    def wait(self, until: datetime) -> bool:
        """Wait for the call's end, no longer than ``until``; whether it has ended."""
        remaining = (until - self._clock.now()).total_seconds()
        return self._ended.wait(max(remaining, 0.0))

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
            self._ended.set()


class ThreadedWorkshop:
    """Starts each call on a daemon thread: one that never returns is abandoned, not awaited."""

    def __init__(self, target: Target, clock: Clock) -> None:
        self._target = target
        self._clock = clock

    def start(self, call: Call) -> ThreadedWork:
        """Begin a call."""
        work = ThreadedWork(self._clock)
        Thread(target=work.run, args=(self._target, call), daemon=True).start()
        return work


def _crash(error: Exception) -> Failure:
    return Failure(
        kind=FailureKind.RETRYABLE,
        code="executor_error",
        type=type(error).__name__,
        message=str(error) or "no message",
    )
