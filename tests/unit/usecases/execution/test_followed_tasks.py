"""Runs that follow a task of ECS: one task for an attempt, whatever happens to workers."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.executing import only, prepare
from tests.support.targets.fake_ecs import CLUSTER, FakeEcs
from tests.support.targets.slicing import go_on
from tests.support.world import World
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.targets.kinds.ecs import TaskTarget
from timegate.domain.actions.kinds.ecs import CLUSTERS, EcsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS, check_limits
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput
from timegate.usecases.execution.cancel_run import cancel_run

ACTION = EcsAction(
    cluster_arn=CLUSTER, task_definition="report", container="app", subnets=("subnet-1a",)
)
RULES = TargetRules(allowed={"ecs": ("*",), CLUSTERS: ("*",)})
ONCE = RetryPolicy(max_attempts=1)
TWICE = RetryPolicy(max_attempts=2, initial_delay_seconds=60, jitter=False)


class Tasks:
    """The target of a world, and its calls."""

    def __init__(self, world: World) -> None:
        self.ecs = FakeEcs()
        client: Any = self.ecs
        self._target = TaskTarget(client, RULES, world.clock)

    def invoke(self, call: Call) -> Answer:
        """Route the call to the target."""
        return self._target.invoke(call, call.action)  # type: ignore[arg-type]

    def stop(self, call: Call) -> None:
        """Route the stop to the target."""
        self._target.stop(call, call.action)  # type: ignore[arg-type]


@pytest.fixture
def ecs(world: World) -> FakeEcs:
    tasks = Tasks(world)
    world.call_runner = MemoryCallRunner(tasks, world.clock)
    world.sweep()
    return tasks.ecs


def begin(world: World, retry: RetryPolicy = ONCE, *, timeout_seconds: int) -> None:
    """Execute the first slice of a run."""
    world.execute([prepare(world, action=ACTION, retry=retry, timeout_seconds=timeout_seconds)])


def look(world: World, seconds: float = 61) -> None:
    """Let the pause pass; the relay publishes the next slice, and a worker executes it."""
    world.clock.advance(seconds)
    world.sweep()
    go_on(world)


def test_a_run_follows_its_task_to_the_end(world: World, ecs: FakeEcs) -> None:
    """No executor holds it between two looks, and its attempt stays the first."""
    begin(world, timeout_seconds=3_600)
    waiting = only(world)
    for _ in range(3):
        look(world)
    ecs.ends(ecs.only(), exit_code=0)
    look(world)

    assert (waiting.state, waiting.lease) == (RunState.QUEUED, None)
    assert only(world).state is RunState.SUCCEEDED
    assert only(world).slices.ended == 4
    assert len(ecs.requests) == 1


def test_a_job_needs_no_long_run_to_be_followed(world: World, ecs: FakeEcs) -> None:
    """Its timeout bounds the task, and nothing the number of looks."""
    begin(world, timeout_seconds=86_400)
    for _ in range(100):
        look(world)

    assert only(world).state in {RunState.WAITING, RunState.QUEUED}
    assert ecs.stopped == []


def test_a_worker_that_dies_after_the_start_leaves_one_task(world: World, ecs: FakeEcs) -> None:
    """The next one asks again with the attempt's token, and follows the same task."""
    message = prepare(world, action=ACTION, timeout_seconds=3_600)
    store = world.runs
    end_slice = store.end_slice

    def dies(before: Attempt, after: Attempt) -> bool:
        del before, after
        raise KeyboardInterrupt

    store.end_slice = dies  # type: ignore[method-assign]
    with pytest.raises(KeyboardInterrupt):
        world.execute([message], owner="dies")
    store.end_slice = end_slice  # type: ignore[method-assign]
    for _ in range(4):
        look(world)
    ecs.ends(ecs.only(), exit_code=0)
    look(world)

    assert len(ecs.requests) == 2
    assert only(world).state is RunState.SUCCEEDED


def test_a_cancel_between_two_looks_stops_the_task(world: World, ecs: FakeEcs) -> None:
    """An executor does, at once: the API reaches no target."""
    begin(world, timeout_seconds=3_600)
    run = only(world)
    cancel_run(run.tenant, run.id.run, api_services(world), now=world.clock.now())
    go_on(world)

    assert only(world).state is RunState.CANCELLED
    assert ecs.stopped == [ecs.only()]


def test_a_task_that_takes_too_long_is_stopped_and_tried_again(world: World, ecs: FakeEcs) -> None:
    """The attempt timed out; the next one has a task of its own and its own time."""
    begin(world, TWICE, timeout_seconds=120)
    for _ in range(3):
        look(world)
    first = world.attempts()[0]
    look(world)
    second = [*ecs.tasks][-1]
    before = ecs.tasks[second]["lastStatus"]
    ecs.ends(second, exit_code=0)
    look(world)
    states = [each.state for each in world.attempts()]

    assert (first.state, before) == (RunState.TIMED_OUT, "PROVISIONING")
    assert states == [RunState.TIMED_OUT, RunState.SUCCEEDED]
    assert len(ecs.tasks) == 2
    assert ecs.stopped[0] != second


def test_a_task_that_fails_is_tried_again(world: World, ecs: FakeEcs) -> None:
    """Its exit code stands in the error."""
    begin(world, TWICE, timeout_seconds=3_600)
    ecs.ends(ecs.only(), exit_code=3)
    look(world)
    failed = world.attempts()[0]
    look(world)

    assert failed.error is not None
    assert (failed.error.code, failed.error.type) == ("exit_code", "ExitCode3")
    assert len(ecs.tasks) == 2


def test_the_last_failure_is_a_dead_letter(world: World, ecs: FakeEcs) -> None:
    """Nothing of the run goes on."""
    begin(world, timeout_seconds=3_600)
    ecs.ends(ecs.only(), stop_code="TaskFailedToStart")
    look(world)

    assert (only(world).state, only(world).reason) == (
        RunState.DEAD_LETTERED,
        Reason.RETRIES_EXHAUSTED,
    )


def test_a_task_may_take_a_day(world: World) -> None:
    """Both sides of the limit; a class of executors bounds no task."""
    job = world.add_job(action=ACTION, timeout_seconds=MAX_WORKER_TIMEOUT_SECONDS)
    check_limits(job)
    with pytest.raises(InvalidInput) as caught:
        check_limits(replace(job, timeout_seconds=MAX_WORKER_TIMEOUT_SECONDS + 1))

    assert (caught.value.field, caught.value.code) == ("timeout_seconds", "too_large")
