"""Counting failures: how many records are read for it, and who reads none."""

from typing import Any

import pytest

from tests.support.execution.failing import (
    GONE,
    a_world,
    ends,
    is_paused,
    planned,
    run,
    show_again,
)
from tests.support.execution.telling import run_all
from tests.support.factories import NOW, after
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.outcomes import pause_failing_jobs


def test_a_job_that_does_not_ask_for_it_costs_nothing() -> None:
    """No read, and no end is followed."""
    world = a_world(pauses=None)
    run(world, GONE)

    def refuse(*_: object, **__: object) -> Any:  # noqa: ANN401
        raise AssertionError

    world.clock.advance(60)
    planned(world)
    world.target.then(GONE)
    world.jobs.get = refuse  # type: ignore[method-assign]
    world.runs.history = refuse  # type: ignore[method-assign]
    run_all(world)
    show_again(world)

    assert [each.state for each in ends(world)] == [RunState.FAILED] * 2
    assert not any(each.is_followed for each in ends(world))


@pytest.mark.parametrize(("most", "pauses"), [(5_000, True), (100, False)], ids=["near", "far"])
def test_failures_far_apart_count_as_far_as_records_are_read(
    monkeypatch: pytest.MonkeyPatch, most: int, *, pauses: bool
) -> None:
    """Page by page; a job that is skipped for months costs no more than that."""
    monkeypatch.setattr(pause_failing_jobs, "_MOST_READ", most)
    world = a_world(pauses=2)
    run(world, GONE)
    skipped = {"state": RunState.SKIPPED, "ended_at": NOW, "watch_at": None}
    for number in range(150):
        planned(world, after(61 + number), reason=Reason.OVERLAP, **skipped)
    world.clock.advance(200)
    run(world, GONE)

    assert is_paused(world) is pauses


def test_a_success_costs_nothing_where_nothing_is_on_trial() -> None:
    """No job follows it."""
    world = a_world()
    run(world, None)
    (succeeded,) = ends(world)

    assert succeeded.state is RunState.SUCCEEDED
    assert not succeeded.is_followed
