"""Last runs: a run of the present schedule keeps its job from completing, and no other does."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    NOW,
    after,
    attempt_factory,
    attempt_id,
    timing_factory,
)
from timegate.domain.planning.last_run import awaits_last_run
from timegate.domain.runs.run import Attempt, Reason, RunState

#: Given at 100: it names each minute, the first at 120.
TIMING = timing_factory(
    schedule=replace(EVERY_MINUTE, starts_at=NOW), created_at=NOW, anchored_at=after(100)
)
ENDED = attempt_id(scheduled_at=after(300)).run


def run(seconds: float, **fields: Any) -> Attempt:  # noqa: ANN401 - as the factory takes them
    """A marked run that waits."""
    given = {"id": attempt_id(scheduled_at=after(seconds)), "final": True} | fields
    return attempt_factory(**given)


@pytest.mark.parametrize(
    ("other", "awaits"),
    [
        pytest.param(run(600), True, id="waits"),
        pytest.param(run(120), True, id="before-it"),
        pytest.param(run(600, state=RunState.RUNNING, fence=1), True, id="under-way"),
        pytest.param(
            run(600, state=RunState.FAILED, reason=Reason.RETRIED, ended_at=NOW), True, id="retried"
        ),
        pytest.param(run(600, state=RunState.SUCCEEDED, ended_at=NOW), False, id="ended"),
        pytest.param(run(600, final=False), False, id="not-the-last"),
        pytest.param(run(601), False, id="superseded-soon"),
        pytest.param(run(60), False, id="due-before-the-edit"),
        pytest.param(run(300), False, id="itself"),
    ],
)
def test_a_job_awaits_the_marked_run_of_its_present_schedule(
    other: Attempt, *, awaits: bool
) -> None:
    """One that the schedule names and answers for, until it has ended."""
    assert awaits_last_run(TIMING, [run(180, final=False), other], ended=ENDED) is awaits
