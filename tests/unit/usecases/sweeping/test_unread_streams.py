"""A stream without readers: an alarm measures for how long what it shows changes nothing."""

from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.runs.run import Attempt, RunState

METRIC = "StreamUnreadMs"
#: Bound of the alarm (``infra/constructs/functions/sweeper.py``).
RINGS_MS = 300_000
ENDED: dict[str, Any] = {"state": RunState.SUCCEEDED, "ended_at": NOW, "final": True}


def swept(attempt: Attempt, *, minutes: int, is_read: bool, backlog: bool = False) -> World:
    """Sweep each minute while the stream has readers, or has none; no executor receives."""
    world = World()
    pooled = {"offer": attempt.offer, "action": WorkerAction(pool="reports", handler="sales")}
    world.add_job(**(pooled if attempt.offer is not None else {}))
    world.runs.insert_all([attempt])
    world.read_images = len(world.tables.images)
    if backlog:
        world.backlog.busy.add("normal-short")
    for _ in range(minutes):
        world.clock.advance(60)
        world.sweep()
        if is_read:
            world.stream()
    return world


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(attempt_factory(watch_at=after(60)), id="no relay"),
        pytest.param(attempt_factory(watch_at=after(90), **ENDED), id="no outcomes"),
    ],
)
def test_what_no_reader_acts_on_rings_within_ten_minutes(attempt: Attempt) -> None:
    """A source that is switched off has no iterator age, and its function no error."""
    world = swept(attempt, minutes=10, is_read=False)

    assert max(world.telemetry.measures[METRIC]) >= RINGS_MS


def test_an_end_that_is_followed_rings_nothing() -> None:
    """Outcomes follows it when it is shown once more."""
    world = swept(attempt_factory(watch_at=after(90), **ENDED), minutes=10, is_read=True)

    assert world.telemetry.measures[METRIC] == [120_000]


def test_a_message_that_was_lost_once_rings_nothing() -> None:
    """The relay publishes the run again, and it is claimed."""
    world = World()
    world.add_job()
    world.runs.insert_all([attempt_factory(watch_at=after(60))])
    world.clock.advance(60)
    world.sweep()
    world.stream()
    world.execute(world.receive())
    for _ in range(10):
        world.clock.advance(60)
        world.sweep()
        world.stream()

    assert world.states() == [RunState.SUCCEEDED]
    assert max(world.telemetry.measures[METRIC]) < RINGS_MS


@pytest.mark.parametrize(
    ("attempt", "backlog"),
    [
        pytest.param(attempt_factory(watch_at=after(60)), True, id="backlog"),
        pytest.param(
            attempt_factory(offer=Offer(pool="reports", handler="sales"), watch_at=after(60)),
            False,
            id="offer",
        ),
        pytest.param(
            running(attempt_factory(watch_at=after(60)), lease=lease_factory(expires_at=after(1))),
            False,
            id="held before",
        ),
    ],
)
def test_a_run_that_waits_for_another_cause_is_not_measured(
    attempt: Attempt, *, backlog: bool
) -> None:
    """Executors, workers or a worker that died: other alarms are about these."""
    world = swept(attempt, minutes=10, is_read=False, backlog=backlog)

    assert world.telemetry.measures[METRIC] == []
