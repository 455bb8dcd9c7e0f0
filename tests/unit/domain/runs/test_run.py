"""Attempts: what their state says about their run and their job."""

import pytest

from tests.support.factories import attempt_factory
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.runs.run import TERMINAL, Reason, RunState
from timegate.domain.runs.run_states import check_transition

LIVE = sorted(state for state in RunState if state not in TERMINAL)


@pytest.mark.parametrize("state", LIVE, ids=str)
def test_every_live_state_can_be_cancelled(state: RunState) -> None:
    """Nothing is unstoppable."""
    check_transition(state, RunState.CANCELLED)


@pytest.mark.parametrize(
    ("state", "reason", "ends_run"),
    [
        (RunState.QUEUED, None, False),
        (RunState.RUNNING, None, False),
        (RunState.SUCCEEDED, None, True),
        (RunState.FAILED, Reason.RETRIED, False),
        (RunState.TIMED_OUT, Reason.RETRIED, False),
        (RunState.FAILED, Reason.PERMANENT, True),
        (RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED, True),
        (RunState.SKIPPED, Reason.PAUSED, True),
    ],
    ids=str,
)
@pytest.mark.parametrize("final", [True, False], ids=["last run", "more to come"])
def test_a_job_is_done_when_its_last_run_has_ended(
    state: RunState, reason: Reason | None, *, ends_run: bool, final: bool
) -> None:
    """An attempt that is retried does not end its run."""
    attempt = attempt_factory(state=state, reason=reason, final=final)

    assert attempt.ends_run is ends_run
    assert attempt.completes_job is (ends_run and final)


def test_priority_and_class_name_the_queue() -> None:
    """One queue each."""
    keys = {
        attempt_factory(priority=priority, resource_class=resource_class).queue_key
        for priority in Priority
        for resource_class in ResourceClass
    }

    assert len(keys) == 8
    assert "critical-long" in keys
