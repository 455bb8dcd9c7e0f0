"""After a promotion DAG runs go on, or fail on record, although items of tasks did not arrive."""

from dataclasses import replace

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.factories import TENANT, after
from tests.support.regions.took_over import TookOver
from tests.support.world import delivery
from tests.unit.domain.dags.definitions import dag, task
from timegate.adapters.dynamo.tables.keys import governor_key
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskState
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import FanOut
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import fail
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.instants import to_milliseconds

#: The end of the region before.
LOST = 60
A, B = TaskKey("a"), TaskKey("b")
BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Busy", message="busy")


class Takeover(DagWorld):
    """DAG runs of the region before, in one that took over."""

    def __init__(self) -> None:
        super().__init__(world=TookOver(lost_until=after(LOST)))
        self.works = replace(self.works, lost_until=lambda: after(LOST))

    def takes_over(self, run: DagRun) -> None:
        """Have the sweeper's first looks behind the end of the region before."""
        self.world.clock.set(max(self.world.clock.now(), after(LOST + 90)))
        self.look(run)
        self.world.clock.advance(600)
        self.world.sweep()
        self.follow()
        self.hear(*(each for each in self.world.attempts() if each.ends_run))

    def runs_of(self, key: TaskKey) -> list[Attempt]:
        """The attempts at a task's runs."""
        marks = [(task_run_mark(each.id.run), each) for each in self.world.attempts()]
        return [each for mark, each in marks if mark is not None and mark.key == key]

    def ends_to_be_retried(self, key: TaskKey, *, delay: float) -> Attempt:
        """Have a task's run fail, and its retry not arrive."""
        (before,) = self.runs_of(key)
        running = replace(before, state=RunState.RUNNING, fence=1)
        policy = RetryPolicy(initial_delay_seconds=delay, max_delay_seconds=delay, jitter=False)
        ended = fail(running, BROKEN, policy, started_at=before.due_at, now=after(5)).ended
        assert ended.reason is Reason.RETRIED
        assert self.world.runs.replace(before, ended)
        return ended

    def status(self, run: DagRun) -> tuple[DagRunStatus, dict[str, str]]:
        """Return how it stands, with its tasks."""
        return self.dag_runs.get(TENANT, run.dag_run_id).status, self.states(run)


@pytest.fixture
def region() -> Takeover:
    """The region that takes over."""
    return Takeover()


LINE = dag((task("a"), task("b")), "a -> b")
WIDE = dag((task("a", fan_out=FanOut(over="parameters.items")), task("b")), "a -> b")


def test_a_retry_that_did_not_arrive_is_made_and_the_dag_run_goes_on(region: Takeover) -> None:
    """It is due behind the time of the region before, so it is in no doubt."""
    run = region.start(LINE)
    ended = region.ends_to_be_retried(A, delay=300)
    region.world.clock.set(after(LOST + 90))
    region.look(run)
    first, second = region.runs_of(A)
    region.look(run)

    assert first == ended
    assert (second.id.number, second.fence, second.ended_at) == (2, 1, None)
    assert (second.created_at, second.due_at) == (after(5), to_milliseconds(after(305)))
    assert region.runs_of(A) == [first, second]
    assert region.play(run, lambda *_: RunState.SUCCEEDED).status is DagRunStatus.SUCCEEDED


def test_a_retry_that_was_due_in_the_time_of_the_region_before_is_in_doubt(
    region: Takeover,
) -> None:
    """It may have begun there: the DAG run fails at it."""
    run = region.start(LINE)
    region.ends_to_be_retried(A, delay=30)
    region.takes_over(run)

    assert region.runs_of(A)[-1].reason is Reason.REGION_LOST
    assert region.status(run) == (DagRunStatus.FAILED, {"a": "dead_lettered", "b": "skipped"})


def test_a_task_that_arrived_without_its_run_is_in_doubt(region: Takeover) -> None:
    """Its run may have begun; one that is made here stands for it."""
    run = region.start(LINE)
    region.world.lose(region.runs_of(A)[0])
    region.takes_over(run)

    assert region.runs_of(A)[-1].reason is Reason.REGION_LOST
    assert region.status(run) == (DagRunStatus.FAILED, {"a": "dead_lettered", "b": "skipped"})


def test_a_run_that_arrived_without_its_governor_is_lost_on_record(region: Takeover) -> None:
    """Skipped for want of a job, it would let its DAG run succeed without its work."""
    run = region.start(LINE)
    region.ends_to_be_retried(A, delay=300)
    region.world.tables.engine.delete_all("runs", [governor_key(TENANT, run.dag_run_id, A)])
    region.world.clock.set(after(LOST + 90))
    region.look(run)
    (_, retry) = region.runs_of(A)
    region.world.clock.set(retry.due_at)
    region.world.execute([delivery(RunMessage.of(retry))])
    region.hear(*region.runs_of(A))
    region.follow()

    assert region.runs_of(A)[-1].reason is Reason.REGION_LOST
    assert region.status(run) == (DagRunStatus.FAILED, {"a": "dead_lettered", "b": "skipped"})


@pytest.mark.parametrize("state", [RunState.SUCCEEDED, RunState.QUEUED])
def test_a_run_that_arrived_without_its_task_begins_it(region: Takeover, state: RunState) -> None:
    """No second run of its id can be stored: the task had waited for ever."""
    run = region.start(LINE)
    begun = region.tasks(run)[A]
    pending = replace(begun, state=TaskState.PENDING, started_at=None)
    assert region.dag_runs.change_task(begun, pending) is not None
    if state is RunState.SUCCEEDED:
        region.finish(region.runs_of(A)[0], state)
    region.takes_over(run)

    assert len(region.runs_of(A)) == 1
    assert region.states(run)["a"] == (
        "succeeded" if state is RunState.SUCCEEDED else "dead_lettered"
    )


def test_members_that_did_not_arrive_are_in_doubt(region: Takeover) -> None:
    """Members that ended are counted."""
    run = region.start(WIDE, parameters='{"items":[1,2,3]}')
    first, second, _ = region.runs_of(A)
    region.world.lose(second)
    region.finish(first, RunState.SUCCEEDED)
    region.takes_over(run)

    assert [each.reason for each in region.runs_of(A)] == [None, *[Reason.REGION_LOST] * 2]
    assert region.status(run)[0] is DagRunStatus.FAILED


@pytest.mark.parametrize("lacks", ["run", "retry"])
def test_a_dag_run_that_is_stopped_ends_although_items_did_not_arrive(
    region: Takeover, lacks: str
) -> None:
    """The stop cancels each run that is made for the task."""
    run = region.start(LINE)
    if lacks == "run":
        region.world.lose(region.runs_of(A)[0])
    else:
        region.ends_to_be_retried(A, delay=300)
    region.world.clock.set(run.deadline_at)
    region.look(run)
    region.follow()
    region.look(run)
    region.follow()

    assert region.status(run)[0] is DagRunStatus.TIMED_OUT
    assert region.states(run)["a"] == "cancelled"


def test_dag_runs_of_this_region_are_left_as_they_are(region: Takeover) -> None:
    """They have all their items: what is missing is on its way to the reader."""
    region.world.clock.set(after(LOST))
    run = region.start(LINE)
    region.world.lose(region.runs_of(A)[0])
    region.look(run)

    assert region.runs_of(A) == []
