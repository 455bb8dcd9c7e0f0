"""Threads that are kept for the next task."""

from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread, current_thread

import pytest

from timegate.kept_threads import KeptThreadPool, KeptThreads

#: Long enough that a test that waits for it has failed.
LONG_SECONDS = 20


@pytest.fixture
def threads() -> KeptThreads:
    return KeptThreads()


@pytest.fixture
def let_go() -> Iterator[Event]:
    """Ends tasks that wait for it, in any case."""
    event = Event()
    yield event
    event.set()


def _thread_of_a_task(threads: KeptThreads) -> Thread:
    """Return the thread of a task, once it is idle."""
    with KeptThreadPool(threads) as pool:
        done = pool.submit(current_thread)
    thread = done.result()
    while not threads.idle:
        thread.join(0.001)
    return thread


def test_an_idle_thread_takes_the_next_task(threads: KeptThreads) -> None:
    """Starting one costs more than most tasks."""
    first = _thread_of_a_task(threads)

    assert _thread_of_a_task(threads) is first
    assert threads.idle == 1


def test_a_task_waits_for_no_other(threads: KeptThreads, let_go: Event) -> None:
    """A call may last as long as it likes."""
    with KeptThreadPool(threads) as pool:
        slow = pool.submit(let_go.wait, LONG_SECONDS)
        assert pool.submit(current_thread).result(LONG_SECONDS) is not current_thread()
        assert not slow.done()
        let_go.set()


def test_a_thread_keeps_no_process_alive(threads: KeptThreads) -> None:
    """A call that never returns is abandoned."""
    assert _thread_of_a_task(threads).daemon


def test_a_block_ends_after_its_tasks(threads: KeptThreads, let_go: Event) -> None:
    """Also with an error, and after tasks that its tasks submit: no run outlives its batch."""
    ended: list[str] = []

    def inner() -> None:
        let_go.wait(LONG_SECONDS)
        ended.append("inner")

    def outer(pool: KeptThreadPool) -> None:
        pool.submit(inner)
        ended.append("outer")
        let_go.set()

    with suppress(ValueError), KeptThreadPool(threads) as pool:
        pool.submit(outer, pool)
        raise ValueError("broken")

    assert ended == ["outer", "inner"]


def test_a_task_may_wait_for_tasks_that_it_submits(threads: KeptThreads) -> None:
    """A group of runs waits for each of its runs."""
    with KeptThreadPool(threads) as pool:
        nested = [pool.submit(lambda: sum(pool.map(int, "123"))) for _ in range(50)]

    assert [each.result() for each in nested] == [6] * 50


def test_an_error_is_raised_where_the_outcome_is_asked_for(threads: KeptThreads) -> None:
    """Its neighbours go on, and its thread takes other tasks."""
    with KeptThreadPool(threads) as pool:
        broken, whole = pool.submit(int, "x"), pool.submit(int, "1")

    assert whole.result() == 1
    with pytest.raises(ValueError, match="invalid literal"):
        broken.result()
    assert _thread_of_a_task(threads).is_alive()


def test_outcomes_that_are_given_up_cancel_no_task(threads: KeptThreads, let_go: Event) -> None:
    """Each has begun: its run holds a lease."""
    begun = Event()

    def act(text: str) -> int:
        if text == "2":
            begun.set()
            let_go.wait(LONG_SECONDS)
        return int(text)

    with KeptThreadPool(threads) as pool:
        second = pool.submit(act, "2")
        begun.wait(LONG_SECONDS)
        with pytest.raises(ValueError, match="invalid literal"):
            list(pool.map(act, ["x", "1"]))
        assert not second.cancel()
        let_go.set()

    assert second.result() == 2


def test_a_process_without_threads_says_so(
    threads: KeptThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The block does not wait for a task that did not begin."""

    def refuse(_: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    with KeptThreadPool(threads) as pool:
        refused = pool.submit(int, "1")

    with pytest.raises(RuntimeError, match="can't start"):
        refused.result()
