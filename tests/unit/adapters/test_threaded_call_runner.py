"""Calls on threads of their own."""

from datetime import timedelta
from threading import Event, current_thread

import pytest

from tests.support.factories import NOW, after
from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.target import MemoryTarget
from timegate.adapters.threaded_call_runner import ThreadedCallRunner, ThreadedWork
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import Target, TargetFailed

#: Far enough away that a test that gets there has failed.
LONG = timedelta(seconds=20)


class Blocked:
    """A target that answers when it is let go."""

    def __init__(self) -> None:
        self.begun = Event()
        self.let_go = Event()
        self.daemon = False

    def stop(self, call: Call) -> None:
        """Nothing goes on without its call."""

    def invoke(self, call: Call) -> Answer:
        self.daemon = current_thread().daemon
        self.begun.set()
        self.let_go.wait()
        return Answer(text=str(call.fence))


class Broken:
    """A target with a bug."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def stop(self, call: Call) -> None:
        """Nothing goes on without its call."""

    def invoke(self, call: Call) -> Answer:
        raise self._error


def start(target: Target) -> ThreadedWork:
    """A call under way; the clock stands still."""
    return ThreadedCallRunner(target, MemoryClock(NOW)).start(call_factory())


def test_a_call_is_watched_while_it_goes_on() -> None:
    """Its supervisor is free to heartbeat: starting and looking take no time."""
    target = Blocked()
    work = start(target)
    target.begun.wait()
    looks = [work.wait(NOW), work.wait(after(-5))]
    target.let_go.set()

    assert looks == [False, False]
    assert work.wait(NOW + LONG)
    assert work.answer() == Answer(text="3")


def test_waiting_ends_at_its_limit() -> None:
    """A heartbeat is due whether the call has ended or not."""
    target = Blocked()
    work = start(target)

    assert not work.wait(after(0.02))

    target.let_go.set()


def test_a_call_that_never_returns_is_abandoned() -> None:
    """Its thread keeps no process alive."""
    target = Blocked()
    start(target)
    target.begun.wait()
    daemon = target.daemon
    target.let_go.set()

    assert daemon


def test_a_failure_is_passed_on_as_it_was_classified() -> None:
    """The retry decision needs its kind."""
    failure = Failure(kind=FailureKind.PERMANENT, code="http_400", type="HttpStatus", message="no")
    work = start(MemoryTarget(failure))
    work.wait(NOW + LONG)

    with pytest.raises(TargetFailed) as caught:
        work.answer()

    assert failure == caught.value.failure


@pytest.mark.parametrize(
    ("error", "message"), [(KeyError("id"), "'id'"), (ValueError(), "no message")], ids=str
)
def test_a_bug_of_a_target_ends_its_own_call_only(error: Exception, message: str) -> None:
    """It is recorded as the executor's, and may be tried again."""
    work = start(Broken(error))
    work.wait(NOW + LONG)

    with pytest.raises(TargetFailed) as caught:
        work.answer()

    assert caught.value.failure == Failure(
        kind=FailureKind.RETRYABLE,
        code="executor_error",
        type=type(error).__name__,
        message=message,
    )
