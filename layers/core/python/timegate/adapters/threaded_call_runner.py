"""Calls on threads of their own, so that their supervisor can heartbeat and give up on them."""

from concurrent.futures import Future
from datetime import datetime
from functools import partial
from threading import Condition, RLock

from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.kept_threads import THREADS
from timegate.ports.call_runner import Target, TargetFailed
from timegate.ports.clock import Clock


class ThreadedWork:
    """A call under way on its thread; its own supervisor waits for it, and no other wakes."""

    def __init__(self, clock: Clock, under_way: "UnderWay") -> None:
        self._clock = clock
        self._under_way = under_way
        self._outcome: Future[Answer] = Future()
        # Re-entrant: a signal handler may let go of what this very thread is about to wait for.
        self._changed = Condition(RLock())

    def wait(self, until: datetime) -> bool:
        """Wait for the call's end, no longer than ``until``, or until the call runner closes."""
        remaining = (until - self._clock.now()).total_seconds()
        with self._changed:
            self._changed.wait_for(self._is_over, max(remaining, 0.0))
        return self._outcome.done()

    def _is_over(self) -> bool:
        return self._outcome.done() or self._under_way.closing

    def wake(self) -> None:
        """Let its supervisor look up."""
        with self._changed:
            self._changed.notify_all()

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
            self._under_way.discard(self)
            self.wake()


class UnderWay:
    """Calls of a process."""

    def __init__(self) -> None:
        self._works: set[ThreadedWork] = set()
        self.closing = False

    def add(self, work: ThreadedWork) -> None:
        """Its call begins."""
        self._works.add(work)

    def discard(self, work: ThreadedWork) -> None:
        """Its call has ended."""
        self._works.discard(work)

    def close(self) -> None:
        """Let every supervisor go."""
        self.closing = True
        # One step of the interpreter copies the set, whatever other threads do.
        for work in tuple(self._works):
            work.wake()


class ThreadedCallRunner:
    """Runs each call on a daemon thread: one that never returns is abandoned, not awaited."""

    def __init__(self, target: Target, clock: Clock) -> None:
        self._target = target
        self._clock = clock
        self._under_way = UnderWay()

    @property
    def closing(self) -> bool:
        """The process is being stopped."""
        return self._under_way.closing

    def close(self) -> None:
        """Wake every supervisor: what is under way is to be let go."""
        self._under_way.close()

    def start(self, call: Call) -> ThreadedWork:
        """Begin a call."""
        work = ThreadedWork(self._clock, self._under_way)
        self._under_way.add(work)
        THREADS.start(partial(work.run, self._target, call))
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
