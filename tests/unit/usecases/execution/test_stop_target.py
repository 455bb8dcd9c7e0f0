"""Executions that a run waited for are stopped with it, and only then."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.execution.overlapping import due, stored
from tests.support.factories import after, attempt_id, job_id
from tests.support.world import World, delivery
from timegate.domain.actions.action import Action
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.limits.overlap import Overlap
from timegate.domain.runs.run import Attempt, RunState
from timegate.ports.call_runner import TargetFailed
from timegate.usecases.execution.cancel_run import cancel_run

ARN = "arn:aws:states:us-east-1:111122223333:stateMachine:orders"
WAIT = StepFunctionsAction(state_machine_arn=ARN, mode=ExecutionMode.WAIT)
START = StepFunctionsAction(state_machine_arn=ARN)
HOOK = WebhookAction(url="https://example.com/")
ONCE = RetryPolicy(max_attempts=1)
TWICE = RetryPolicy(max_attempts=2, initial_delay_seconds=60, jitter=False)


def run_of(world: World, action: Action = WAIT, retry: RetryPolicy = ONCE) -> Attempt:
    """A run that is due, of a job that calls the target once."""
    return due(world, "a", Overlap(), action=action, retry=retry)


def receive(world: World, attempt: Attempt) -> None:
    """A worker receives its message."""
    world.execute([delivery(RunMessage.of(attempt))])


def stopped(world: World) -> list[int]:
    """The attempts for which the target was told to stop."""
    return [call.attempt.number for call in world.target.stopped]


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        pytest.param(WAIT, [1], id="waits"),
        pytest.param(START, [], id="starts"),
        pytest.param(HOOK, [], id="web-hook"),
    ],
)
def test_a_cancel_stops_what_the_run_waits_for(
    world: World, action: Action, expected: list[int]
) -> None:
    """At the heartbeat that hears of it; an execution without a waiter goes on."""
    run = run_of(world, action)
    world.call_runner.takes = None
    invoke = world.target.invoke

    def cancelled(call: Any) -> Any:  # noqa: ANN401
        held = stored(world, run)
        world.tables.put_attempt(replace(held, cancel_requested=True))
        return invoke(call)

    world.target.invoke = cancelled  # type: ignore[method-assign]
    receive(world, run)

    assert stored(world, run).state is RunState.CANCELLED
    assert stopped(world) == expected


@pytest.mark.parametrize(
    ("retry", "state", "expected"),
    [
        pytest.param(ONCE, RunState.DEAD_LETTERED, [1], id="the-last"),
        pytest.param(TWICE, RunState.TIMED_OUT, [], id="another-follows"),
    ],
)
def test_the_last_attempt_that_runs_out_of_time_stops_it(
    world: World, retry: RetryPolicy, state: RunState, expected: list[int]
) -> None:
    """An attempt before the last stops nothing: its retry goes on waiting for the target."""
    run = run_of(world, retry=retry)
    world.call_runner.takes = None
    receive(world, run)

    assert stored(world, run).state is state
    assert stopped(world) == expected


def test_a_cancel_between_two_attempts_comes_to_an_executor(world: World) -> None:
    """It alone may stop what the first one left running."""
    run = run_of(world, retry=TWICE)
    world.call_runner.takes = None
    receive(world, run)
    retry = world.attempts()[-1]
    asked = cancel_run(run.tenant, run.id.run, api_services(world), now=world.clock.now())[-1]
    receive(world, asked)

    assert (asked.state, asked.cancel_requested) == (RunState.QUEUED, True)
    assert asked.due_at == world.clock.now() < retry.due_at
    assert stored(world, retry).state is RunState.CANCELLED
    assert stopped(world) == [2]


@pytest.mark.parametrize(
    "action", [pytest.param(WAIT, id="first"), pytest.param(HOOK, id="web-hook")]
)
def test_other_cancels_need_no_executor(world: World, action: Action) -> None:
    """A run that has not begun, or that ends with its call, has nothing to stop."""
    fields: dict[str, Any] = {"number": 1 if action is WAIT else 2}
    run = run_of(world, action)
    last = replace(run, id=attempt_id(fields["number"], job=job_id("a"), scheduled_at=after(0)))
    world.tables.put_attempt(last)
    asked = cancel_run(run.tenant, run.id.run, api_services(world), now=world.clock.now())[-1]

    assert asked.state is RunState.CANCELLED
    assert stopped(world) == []


def test_a_worker_that_died_leaves_stopping_to_the_next(world: World) -> None:
    """The next worker finds the cancel request, stops the target and begins nothing."""
    run = run_of(world)
    now = world.clock.now()
    lease = world.execution().lease(1, now=now - timedelta(seconds=90), deadline_at=now)
    dead = replace(run, state=RunState.RUNNING, fence=1, lease=lease, cancel_requested=True)
    world.tables.put_attempt(dead)
    receive(world, dead)

    assert stored(world, run).state is RunState.CANCELLED
    assert (stopped(world), world.target.calls) == ([1], [])


def test_a_target_that_will_not_be_stopped_holds_up_no_end(world: World) -> None:
    """The log says so."""
    refused = Failure(kind=FailureKind.PERMANENT, code="no", type="No", message="no")

    world.target.stop = Mock(side_effect=TargetFailed(refused))  # type: ignore[method-assign]
    run = run_of(world)
    world.call_runner.takes = None
    receive(world, run)

    assert stored(world, run).state is RunState.DEAD_LETTERED
    assert "target_not_stopped" in [event.name for event in world.telemetry.events]
