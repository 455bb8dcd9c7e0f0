"""Overdue runs: an alarm counts what Timegate lost, and not what its tenants let wait."""

from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World
from timegate.domain.actions.pool import Offer
from timegate.domain.runs.run import Attempt, RunState

METRIC = "WatchOverdue"
RETRY: dict[str, Any] = {"state": RunState.WAITING, "due_at": after(1_200), "watch_at": NOW}
OFFERED: dict[str, Any] = {"offer": Offer(pool="reports", handler="sales"), "watch_at": NOW}


def swept(attempt: Attempt) -> World:
    """Sweep an attempt two minutes from now, when its look is due."""
    world = World()
    world.add_job()
    world.runs.insert_all([attempt])
    world.clock.set(after(120))
    world.sweep()
    return world


@pytest.mark.parametrize("planned", [RETRY, OFFERED], ids=["retry", "offer"])
def test_a_look_that_was_planned_counts_no_overdue_run(planned: dict[str, Any]) -> None:
    """A target that fails, or workers that stay away, called an operator by their number."""
    world = swept(attempt_factory(**planned))

    assert world.telemetry.counts[METRIC] == 0
    assert [each.watch_at > world.clock.now() for each in world.attempts() if each.watch_at] == [
        True
    ]


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(attempt_factory(watch_at=NOW), id="no message"),
        pytest.param(
            running(attempt_factory(watch_at=NOW), lease=lease_factory(expires_at=after(1))),
            id="no worker",
        ),
        pytest.param(
            attempt_factory(state=RunState.SUCCEEDED, ended_at=NOW, watch_at=NOW, final=True),
            id="no follow-up",
        ),
    ],
)
def test_a_run_that_lost_something_is_overdue(attempt: Attempt) -> None:
    """Its worker, its message, or the reader of its end."""
    assert swept(attempt).telemetry.counts[METRIC] == 1
