"""The executor that ends a task in a line executes the next one, without a message."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.dag_runs.dag_world import DagWorld, MemoryExecutions
from tests.support.execution.overlapping import Crash
from tests.support.factories import job_factory
from tests.support.world import LEASE
from tests.unit.domain.dags.definitions import WORK, dag, task, tasks
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FanOut, JobTask
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import UNSURE_PATIENCE
from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry import run_events
from timegate.runtime.wiring.parts.executor_dag_works import OutcomesObjects
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.execution.claims.claim_next_task import claim_next_task
from timegate.usecases.execution.execute_batch import TURN
from timegate.usecases.services.execution_services import Claimed, Execution

REFUSED = Failure(kind=FailureKind.PERMANENT, code="no", type="Refused", message="no")
LINE = dag(tasks("a", "b", "c"), "a -> b", "b -> c")


@dataclass
class Place:
    """An executor and outcomes of one world."""

    own: DagWorld = field(default_factory=DagWorld)
    told: MemoryExecutions = field(default_factory=MemoryExecutions)

    @property
    def works(self) -> DagWorks:
        """Build the executor's services: it publishes nothing, and tells no execution."""
        own = {"executions": self.told, "blobs": OutcomesObjects()}
        return replace(self.own.works, scheduling=None, **own)  # type: ignore[arg-type]

    def next_task(self, ended: Attempt, execution: Execution, until: datetime) -> Claimed | None:
        """Follow an end as the executor's wiring does."""
        return claim_next_task(ended, execution, self.works, until=until)

    def execute(self, **changes: object) -> set[str]:
        """One invocation for all messages that were sent."""
        world = self.own.world
        return world.execute(world.receive(), **{"next_task": self.next_task, **changes})

    def called(self) -> list[str]:
        """Return the keys of the tasks whose target was called, in order."""
        marks = [task_run_mark(call.attempt.run) for call in self.own.world.target.calls]
        return [mark.key for mark in marks if mark is not None]

    def sent(self) -> list[str]:
        """Return the keys of the tasks whose messages wait."""
        sent = self.own.world.publisher.sent
        marks = [task_run_mark(each.message.attempt.run) for each in sent]
        return [mark.key for mark in marks if mark is not None]

    def hear(self) -> None:
        """Let the relay and outcomes read all that is new."""
        self.own.world.stream()
        self.own.hear(*[each for each in self.own.world.attempts() if each.ends_run])

    def status(self, run: DagRun) -> DagRunStatus:
        """Return the DAG run's status."""
        return self.own.dag_runs.get(run.tenant, run.dag_run_id).status

    def play(self, run: DagRun) -> list[str]:
        """Let everything happen, in turn, until the DAG run has ended; the keys of all calls."""
        for _ in range(20):
            self.hear()
            if self.status(run) is not DagRunStatus.RUNNING:
                break
            self.execute()
        return self.called()


def test_a_line_is_executed_by_one_invocation_and_one_message() -> None:
    """Outcomes finds all of it done: it tells the execution, and starts nothing."""
    place = Place()
    run = place.own.start(LINE)
    for key in ("a", "b", "c"):
        place.own.dag_runs.keep_task_token(run.tenant, run.dag_run_id, task(key).key, f"of {key}")
    unsettled = place.execute()
    at_once = (unsettled, place.called(), place.sent(), place.status(run))
    runs = place.own.world.attempts()
    told_before = list(place.told.answers)
    place.hear()

    assert at_once == (set(), ["a", "b", "c"], [], DagRunStatus.SUCCEEDED)
    assert [each.fence for each in runs] == [1, 1, 1]
    assert told_before == []
    assert {token for token, _ in place.own.executions.answers} == {"of a", "of b", "of c"}
    assert [each.id for each in place.own.world.attempts()] == [each.id for each in runs]
    assert (place.called(), place.sent()) == (["a", "b", "c"], [])


def test_the_next_task_is_given_the_result_of_the_one_before() -> None:
    """Its input is made where it starts."""
    place = Place()
    place.own.world.target.then(Answer(text='"of a"'))
    fed = task("b", input='{"$ref":"tasks.a.result"}')
    place.own.start(dag((task("a"), fed), "a -> b"))
    place.execute()

    assert [call.payload for call in place.own.world.target.calls][1] == '"of a"'


def test_a_task_that_needs_an_object_is_started_by_outcomes() -> None:
    """Executors have no right to whole results: the end is left before anything starts."""
    place = Place()
    long = f'"{"x" * 20_000}"'
    place.own.world.target.then(Answer(text=long))
    fed = task("b", input='{"$ref":"tasks.a.result"}')
    run = place.own.start(dag((task("a"), fed), "a -> b"))
    place.execute()
    at_once = place.own.states(run)["b"]

    assert at_once == "pending"
    assert place.play(run) == ["a", "b"]


LEFT: dict[str, Dag] = {
    "two tasks follow": dag(tasks("a", "b", "c"), "a -> b", "a -> c"),
    "a fan-out follows": dag(
        (task("a"), task("b", fan_out=FanOut(over="parameters.parts", max_width=2))), "a -> b"
    ),
    "it is a fan-out": dag(
        (task("a", fan_out=FanOut(over="parameters.parts", max_width=2)), task("b")), "a -> b"
    ),
    "a job follows": dag(
        (task("a"), task("b", spec=JobTask(job_id=job_factory().job_id))), "a -> b"
    ),
    "a wait follows": dag(
        (task("a"), task("b", spec=WaitTask(kind=WaitKind.SLEEP, seconds=60))), "a -> b"
    ),
}


@pytest.mark.parametrize("given", LEFT.values(), ids=LEFT)
def test_any_other_end_is_left_to_outcomes_as_it_is(given: Dag) -> None:
    """By nothing but reads."""
    place = Place()
    place.own.world.add_job(job_id=job_factory().job_id)
    run = place.own.start(given, parameters='{"parts": [1, 2]}')
    place.own.world.stream()
    before = place.own.tasks(run)
    place.execute()

    assert place.own.tasks(run) == before
    assert set(place.called()) == {"a"}


def test_a_failure_is_left_to_outcomes() -> None:
    """Policies decide what follows."""
    place = Place()
    place.own.world.target.then(REFUSED)
    run = place.own.start(LINE)
    place.execute()

    assert place.own.states(run) == {"a": "running", "b": "pending", "c": "pending"}


UNFIT: dict[str, Dag] = {
    "another queue": dag((task("a"), task("b", priority=Priority.HIGH)), "a -> b"),
    "no time for a whole try": dag(
        (task("a"), task("b", spec=replace(WORK, timeout_seconds=896))), "a -> b"
    ),
}


@pytest.mark.parametrize("given", UNFIT.values(), ids=UNFIT)
def test_a_run_that_does_not_fit_here_starts_and_goes_through_its_queue(given: Dag) -> None:
    """The relay publishes it."""
    place = Place()
    run = place.own.start(given)
    place.execute()
    before = (place.called(), place.sent(), place.own.states(run)["b"])
    place.own.world.stream()

    assert before == (["a"], [], "running")
    assert place.sent() == ["b"]


def test_a_turn_ends_so_that_other_tenants_get_theirs() -> None:
    """Ten seconds from the first end; the rest goes by messages."""
    place = Place()
    place.own.world.target.invoke = slowly(place, TURN.total_seconds() - 4)  # type: ignore[method-assign]
    run = place.own.start(LINE)
    place.execute()
    at_once = (place.called(), place.own.states(run)["c"])

    assert at_once == (["a", "b", "c"], "running")
    assert place.status(run) is DagRunStatus.RUNNING
    assert place.play(run) == ["a", "b", "c"]


def slowly(place: Place, seconds: float) -> Callable[..., Answer]:
    """A target that takes so long."""
    invoke = place.own.world.target.invoke

    def slow(call: object) -> Answer:
        place.own.world.clock.advance(seconds)
        return invoke(call)  # type: ignore[arg-type]

    return slow


def test_outcomes_that_was_first_leaves_nothing_to_start() -> None:
    """One of two starts a task: the other one meets its write."""
    place = Place()
    run = place.own.start(LINE)

    def late(ended: Attempt, execution: Execution, until: datetime) -> Claimed | None:
        place.own.hear(ended)
        return place.next_task(ended, execution, until)

    place.execute(next_task=late)
    assert (place.called(), place.sent()) == (["a"], ["b"])
    assert place.play(run) == ["a", "b", "c"]


def test_a_store_that_is_busy_leaves_the_end_to_outcomes() -> None:
    """The run's own end is on record, and its message settled."""
    place = Place()
    run = place.own.start(LINE)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place.own.dag_runs, "get", Mock(side_effect=Throttled("busy")))
        unsettled = place.execute()
    told = [each.name for each in place.own.world.telemetry.events]
    assert (unsettled, told.count(run_events.END_LEFT)) == (set(), 1)
    assert place.play(run) == ["a", "b", "c"]


@pytest.mark.parametrize("moment", ["claim", "call"])
def test_another_worker_takes_over_where_the_executor_died(moment: str) -> None:
    """The sweeper publishes a run that was not claimed, and one whose lease has expired."""
    place = Place()
    world = place.own.world
    run = place.own.start(dag(tasks("a", "b"), "a -> b"))
    struck: Any = world.runs if moment == "claim" else world.target
    name = "load_all" if moment == "claim" else "invoke"
    sound = getattr(struck, name)

    def dying(*given: Any) -> Any:  # noqa: ANN401 - as the one in whose place it stands
        if place.called():
            raise Crash
        return sound(*given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(struck, name, dying)
        with pytest.raises(Crash):
            place.execute()
    (left,) = [each for each in world.attempts() if not each.ends_run]
    world.clock.advance((UNSURE_PATIENCE if moment == "claim" else LEASE * 2).total_seconds() + 1)
    world.sweep()
    world.stream()
    place.execute()

    assert left.state is (RunState.QUEUED if moment == "claim" else RunState.RUNNING)
    assert place.called() == ["a", "b"]
    assert place.status(run) is DagRunStatus.SUCCEEDED


def test_a_run_that_is_no_task_needs_nothing_of_it() -> None:
    """No function is called."""
    place = Place()
    world = place.own.world
    world.add_job()
    world.tick()
    world.stream()

    place.execute(next_task=Mock(side_effect=AssertionError))
    assert [each.state for each in world.attempts() if each.ends_run] == [RunState.SUCCEEDED]
