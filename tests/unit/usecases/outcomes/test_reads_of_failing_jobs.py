"""Counting failures: how many records are read for it, and who reads none."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.failing import (
    GONE,
    a_world,
    ends,
    is_paused,
    job_of,
    planned,
    run,
    show_again,
)
from tests.support.execution.pausing import pause_failing
from tests.support.execution.telling import run_all
from tests.support.factories import NOW, after
from tests.support.world import World
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.outcomes import pause_failing_jobs


def test_a_job_that_does_not_ask_for_it_costs_nothing() -> None:
    """No read, and no end is followed."""
    world = a_world(pauses=None)
    run(world, GONE)

    world.clock.advance(60)
    planned(world)
    world.target.then(GONE)
    world.jobs.get = Mock(side_effect=AssertionError)  # type: ignore[method-assign]
    world.runs.history = Mock(side_effect=AssertionError)  # type: ignore[method-assign]
    run_all(world)
    show_again(world)

    assert [each.state for each in ends(world)] == [RunState.FAILED] * 2
    assert not any(each.is_followed for each in ends(world))


@pytest.mark.parametrize(
    ("most", "megabytes", "pauses"),
    [(1_000, 0, True), (100, 1, True), (100, 0, False)],
    ids=["near", "far", "too-far"],
)
def test_failures_far_apart_count_as_far_as_records_are_read(
    monkeypatch: pytest.MonkeyPatch, most: int, megabytes: int, *, pauses: bool
) -> None:
    """Page by page; a job that is skipped for months costs no more than that."""
    monkeypatch.setattr(pause_failing_jobs, "_MOST_READ", most)
    monkeypatch.setattr(pause_failing_jobs, "_MOST_PAGES", megabytes)
    world = a_world(pauses=2)
    run(world, GONE)
    skipped = {"state": RunState.SKIPPED, "ended_at": NOW, "watch_at": None}
    for number in range(150):
        planned(world, after(61 + number), reason=Reason.OVERLAP, **skipped)
    world.clock.advance(200)
    run(world, GONE)

    assert is_paused(world) is pauses


def test_a_success_among_skipped_runs_is_met_however_far_it_lies(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And a try that another one followed, which was skipped, is no failure."""
    monkeypatch.setattr(pause_failing_jobs, "_MOST_READ", 2)
    world = a_world(pauses=2)
    run(world, GONE, None)
    tried = planned(
        world, after(200), state=RunState.FAILED, reason=Reason.RETRIED, ended_at=NOW, watch_at=None
    )
    skipped: dict[str, Any] = {"state": RunState.SKIPPED, "reason": Reason.OVERLAP, "ended_at": NOW}
    planned(world, id=tried.id.next(), watch_at=None, **skipped)
    for number in range(10):
        planned(world, after(201 + number), watch_at=None, **skipped)
    world.clock.advance(300)
    run(world, GONE)

    assert not is_paused(world)


def test_a_success_costs_nothing_where_nothing_is_on_trial() -> None:
    """No job follows it."""
    world = a_world()
    run(world, None)
    (succeeded,) = ends(world)

    assert succeeded.state is RunState.SUCCEEDED
    assert not succeeded.is_followed


def _read_by(world: World) -> list[int]:
    """Sizes of the pages that are read from now on."""
    sizes, history = list[int](), world.runs.history

    def counted(*key: Any, limit: int, **span: Any) -> tuple[RunRecord, ...]:  # noqa: ANN401
        sizes.append(limit)
        return history(*key, limit=limit, **span)

    world.runs.history = counted  # type: ignore[method-assign]
    return sizes


def test_a_page_begins_with_as_many_runs_as_have_to_fail() -> None:
    """A success right before the failure is in the first page, and ends the reading."""
    world = a_world(pauses=3)
    run(world, *[None] * 9)
    sizes = _read_by(world)
    run(world, GONE)

    assert sizes == [3]


def test_pages_grow_while_they_decide_nothing() -> None:
    """Each is twice as long, so that far failures need few calls; no run is read twice."""
    world = a_world(pauses=2)
    run(world, GONE)
    skipped = {"state": RunState.SKIPPED, "ended_at": NOW, "watch_at": None}
    for number in range(12):
        planned(world, after(61 + number), reason=Reason.OVERLAP, **skipped)
    world.clock.advance(60)
    sizes = _read_by(world)
    run(world, GONE)

    assert is_paused(world)
    assert sizes == [2, 4, 8]


def test_ends_of_a_job_that_come_together_are_counted_once() -> None:
    """All of them are on record when the first is judged."""
    world = a_world(pauses=9)
    run(world, *[GONE] * 8)
    sizes = _read_by(world)
    pause_failing(ends(world), world)

    assert sizes == [9]


def test_an_edit_between_two_ends_has_the_second_counted_anew() -> None:
    """The job that the first spared is another one."""
    world = a_world(pauses=3)
    run(world, GONE, GONE)
    history, shown = world.runs.history, ends(world)

    def edited(*key: Any, **span: Any) -> tuple[RunRecord, ...]:  # noqa: ANN401
        job = job_of(world)
        if job.pause_after_failures == 3:
            timing = replace(job.timing, version=job.timing.version + 1)
            found = history(*key, **span)
            world.jobs.update(job, replace(job, timing=timing, pause_after_failures=2))
            return found
        return history(*key, **span)

    world.runs.history = edited  # type: ignore[method-assign]
    pause_failing(shown, world)

    assert is_paused(world)
