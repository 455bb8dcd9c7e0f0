"""Ends that fall together share a write; how long the first waits follows its call."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import timedelta

import pytest

from tests.support.factories import NOW, after, attempt_factory
from tests.support.world import World
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.services.completions import Completions, window_of

#: Seconds; nothing that passes takes them.
FAR = 60


def ended(*, call_ms: float | None = None) -> Attempt:
    """A run that has ended, after a call of so long or without one."""
    started = None if call_ms is None else NOW - timedelta(milliseconds=call_ms)
    return attempt_factory(state=RunState.SUCCEEDED, started_at=started, ended_at=NOW)


@pytest.mark.parametrize(
    ("call_ms", "window_ms"),
    [(None, 20), (0, 20), (40, 20), (41, 20.5), (199, 99.5), (200, 100), (30_000, 100)],
)
def test_a_batch_waits_for_half_of_its_first_call_within_bounds(
    call_ms: float | None, window_ms: float
) -> None:
    assert window_of(ended(call_ms=call_ms)) == pytest.approx(window_ms / 1000)


def test_the_last_end_lets_a_batch_be_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world, written = World(), list[int]()

    def finish_all(ends: Sequence[Attempt]) -> list[bool]:
        written.append(len(ends))
        return [True for _ in ends]

    monkeypatch.setattr(world.runs, "finish_all", finish_all)
    completions = Completions(world.runs, world.telemetry, window_seconds=FAR)
    ends = [attempt_factory(due_at=after(s), started_at=NOW, ended_at=NOW) for s in range(3)]
    for _ in ends:
        completions.begin()
    pool = ThreadPoolExecutor()
    done, waiting = wait([pool.submit(completions.finish, each) for each in ends], timeout=FAR / 6)
    pool.shutdown(wait=False, cancel_futures=True)
    assert not waiting
    assert ([each.result() for each in done], written) == ([True] * 3, [3])
