"""Fixtures of all functional tests."""

from collections.abc import Callable, Iterator
from random import Random
from time import sleep

import pytest

from tests.courses import COURSE
from timegate.kept_threads import KeptThreads

#: Longer than any process takes that ends by itself, on however busy a machine.
_PATIENCE_SECONDS = 600.0
#: A thread begins its task later by up to this. Most tasks are shorter.
_LATE_SECONDS = 0.002


@pytest.fixture(scope="session", autouse=True)
def no_clock_on_the_wall_ends_a_process() -> Iterator[None]:
    """A file is read by a process of its own, whose processor time is bounded as in production.

    The other bound is of seconds on the wall: on a busy machine a process takes as many to begin.
    Tests about that bound name it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("api.ical.isolated.TIMEOUT_SECONDS", _PATIENCE_SECONDS)
        yield


@pytest.fixture(autouse=True)
def threads_begin_in_an_order_of_the_test(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Draw by how much each thread's task begins late, from the names of test and course.

    Runs of a batch begin side by side, so their calls have another order on another machine. A test
    that names one fails in one course or the other.
    """
    draw = Random(f"{COURSE.name} {request.node.nodeid}")
    start = KeptThreads.start

    def start_late(threads: KeptThreads, task: Callable[[], object]) -> None:
        seconds = draw.uniform(0, _LATE_SECONDS)

        def act() -> None:
            sleep(seconds)
            task()

        start(threads, act)

    monkeypatch.setattr(KeptThreads, "start", start_late)
