"""Failing fast: nothing new starts but what the failure triggers, and that runs to its end."""

from collections.abc import Callable
from contextlib import suppress

import pytest

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Crash
from tests.unit.domain.dags.definitions import ANY, dag, task, tasks
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress, TaskReason
from timegate.domain.dag_runs.run_identity import task_run_mark
from timegate.domain.dags.definition import Dag, FailurePolicy, FanOut
from timegate.domain.runs.run import Attempt, RunState
from timegate.usecases.dag_runs.stopping.call_off import call_off

FAST = FailurePolicy.FAIL_FAST


def key_of(attempt: Attempt) -> str:
    mark = task_run_mark(attempt.id.run)
    assert mark is not None
    return mark.key


class Course:
    """A run of a DAG that fails fast, whose tasks end one by one."""

    def __init__(self, own: Dag, parameters: str = "{}") -> None:
        self.world = DagWorld()
        self.run = self.world.start(own, parameters=parameters)

    @property
    def under_way(self) -> list[str]:
        return sorted(map(key_of, self.world.waiting()))

    @property
    def states(self) -> dict[str, str]:
        return dict(self.world.states(self.run))

    @property
    def now(self) -> DagRun:
        return self.world.dag_runs.get(self.run.tenant, self.run.dag_run_id)

    def end(self, key: str, state: RunState = RunState.SUCCEEDED) -> None:
        """End every run of a task that is under way."""
        own = [each for each in self.world.waiting() if key_of(each) == key]
        assert own, f"{key} is not under way"
        self.world.hear(*(self.world.finish(each, state) for each in own))

    def fail(self, key: str) -> None:
        self.end(key, RunState.FAILED)


def fast(keys: str, *arrows: str) -> Dag:
    return dag(tasks(*keys.split()), *arrows, failure_policy=FAST)


@pytest.mark.parametrize(
    ("arrows", "keys"),
    [
        pytest.param(["a -* clean"], "a other clean", id="of the failure"),
        pytest.param(["other -* clean"], "a other clean", id="of what is cancelled"),
        pytest.param(["other -x clean"], "a other clean", id="on the failure of what is cancelled"),
        pytest.param(["a -> b", "b -* clean"], "a b other clean", id="of what is skipped for it"),
        pytest.param(["other -> b", "b -* clean"], "a b other clean", id="of what never began"),
        pytest.param(["a -* clean", "other -* clean"], "a other clean", id="of both"),
    ],
)
def test_a_clean_up_starts_and_runs_to_its_end(arrows: list[str], keys: str) -> None:
    """Everything else is cancelled, or skipped; then the DAG run has failed."""
    course = Course(fast(keys, *arrows))
    course.fail("a")
    started = course.under_way
    course.end("clean")

    assert started == ["clean"]
    assert course.states["clean"] == "succeeded"
    assert set(course.states.values()) <= {"failed", "cancelled", "skipped", "succeeded"}
    assert course.states["other"] == "cancelled"
    assert (course.now.status, course.now.reason) == (DagRunStatus.FAILED, TaskReason.FAIL_FAST)


def test_what_is_under_way_already_is_not_cancelled_if_a_failure_triggered_it() -> None:
    """A failure that is dealt with stops nothing; a later one leaves that alone."""
    course = Course(fast("load repair other", "load -x repair"))
    course.fail("load")
    before = course.under_way
    course.fail("other")
    after = course.under_way
    course.end("repair")

    assert (before, after) == (["other", "repair"], ["repair"])
    assert course.states == {"load": "failed", "repair": "succeeded", "other": "failed"}


def test_what_follows_a_clean_up_starts_as_well() -> None:
    """In whichever way its edges ask."""
    course = Course(
        fast("a first second third", "a -* first", "first -> second", "second -* third")
    )
    course.fail("a")
    for key in ("first", "second", "third"):
        assert course.under_way == [key]
        course.end(key)

    assert course.states["third"] == "succeeded"
    assert course.now.status is DagRunStatus.FAILED


@pytest.mark.parametrize("arrow", ["b -> c", "b -* c"])
def test_what_another_success_triggers_does_not_start(arrow: str) -> None:
    """Its task ended well just before it could be cancelled."""
    course = Course(fast("a b c", arrow))
    a, b = course.world.waiting()
    ended = [course.world.finish(a, RunState.FAILED), course.world.finish(b, RunState.SUCCEEDED)]
    course.world.hear(*ended)

    assert course.states == {"a": "failed", "b": "succeeded", "c": "cancelled"}
    assert course.now.status is DagRunStatus.FAILED


def test_what_is_behind_a_cancelled_task_is_cancelled_whenever_that_is_found() -> None:
    """Also where its process died after it cancelled the one and before it cancelled the other."""
    course = Course(fast("a b c", "b -> c"))
    works = course.world.works
    change = works.dag_runs.change_task

    def dies_at_c(before: TaskProgress, after: TaskProgress) -> TaskProgress | None:
        if before.key == "c":
            raise Crash
        return change(before, after)

    works.dag_runs.change_task = dies_at_c  # type: ignore[method-assign]
    with suppress(Crash):
        course.fail("a")
    works.dag_runs.change_task = change  # type: ignore[method-assign]
    course.world.follow()
    for _ in range(3):
        course.world.look(course.run)

    assert course.states == {"a": "failed", "b": "cancelled", "c": "cancelled"}


def test_a_clean_up_that_fails_triggers_its_own() -> None:
    """The DAG run has failed in any case."""
    course = Course(fast("a clean alert", "a -* clean", "clean -x alert"))
    course.fail("a")
    course.fail("clean")
    course.end("alert")

    assert course.states == {"a": "failed", "clean": "failed", "alert": "succeeded"}
    assert course.now.status is DagRunStatus.FAILED


def test_a_clean_up_of_several_waits_for_them() -> None:
    """It starts once, when its rule is met."""
    own = dag(
        tasks("a", "b", "all", "one", one=ANY),
        *("a -* all", "b -* all", "a -* one", "b -* one"),
        failure_policy=FAST,
    )
    course = Course(own)
    course.fail("a")
    for key in ("all", "one"):
        course.end(key)

    assert course.states == {
        "a": "failed",
        "b": "cancelled",
        "all": "succeeded",
        "one": "succeeded",
    }


def test_a_clean_up_may_fan_out() -> None:
    """Its members are made, work, and are joined; one that fails fails it."""
    wide = task("clean", fan_out=FanOut(over="parameters.parts", max_width=5))
    own = dag((task("a"), wide), "a -* clean", failure_policy=FAST)
    course = Course(own, parameters='{"parts": [1, 2, 3]}')
    course.fail("a")
    started = course.under_way
    course.end("clean")

    assert started == ["clean"] * 3
    assert course.states["clean"] == "succeeded"

    other = Course(own, parameters='{"parts": [1, 2]}')
    other.fail("a")
    other.fail("clean")
    failed = other.world.tasks(other.run)[wide.key]

    assert (failed.state.value, failed.reason) == ("failed", TaskReason.JOIN_FAILED)


def _cancel(course: Course) -> None:
    works = course.world.works
    now = works.clock.now()
    call_off(course.now, works.dag_runs, works.telemetry, now=now)


def _time_out(course: Course) -> None:
    course.world.world.clock.wait_until(course.now.deadline_at)
    course.world.look(course.run)


@pytest.mark.parametrize(
    ("stop", "status", "reason"),
    [
        pytest.param(_cancel, DagRunStatus.CANCELLED, TaskReason.DAG_CANCELLED, id="cancelled"),
        pytest.param(_time_out, DagRunStatus.TIMED_OUT, TaskReason.DAG_TIMED_OUT, id="timed out"),
    ],
)
def test_a_clean_up_ends_with_a_cancel_and_with_the_time_of_the_dag(
    stop: Callable[[Course], None], status: DagRunStatus, reason: TaskReason
) -> None:
    """Then nothing goes on, and nothing is triggered."""
    course = Course(fast("a clean more", "a -* clean", "clean -* more"))
    course.fail("a")
    stop(course)
    course.world.follow()

    assert course.under_way == []
    assert course.states == {"a": "failed", "clean": "cancelled", "more": "cancelled"}
    assert (course.now.status, course.now.reason) == (status, reason)
