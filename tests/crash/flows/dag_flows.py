"""DAG runs: started, failed, repeated, cancelled; and executions that are of no help."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

from tests.crash.flows.pipelines import (
    Pipeline,
    begin,
    comes_to,
    executions_of,
    first_tries,
    states_of,
    status_of,
    steer,
    succeeds,
)
from tests.crash.judges.checker import instant
from tests.crash.judges.dag_judge import dag_run_of, mark_of, task_rows
from tests.crash.story import Flow, Story
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import FailurePolicy, FanOut

#: Sampled points of each flow; ``make crash-matrix`` tries all.
_MOST = 12
#: Between two of an executor with a lease of a minute.
_HEARTBEAT = timedelta(seconds=20)

_LINE = Pipeline(
    dag((task("a"), task("b", input='{"$ref":"tasks.a.result"}')), "a -> b"),
)
_STOPPING = Pipeline(
    dag(
        (task("a"), task("b"), task("c")),
        "b -> c",
        failure_policy=FailurePolicy.FAIL_FAST,
    ),
    calls={"a": "fails", "b": "works-200"},
    failing={"a": 1},
)
_CLEANING = Pipeline(
    dag(
        (task("a"), task("b"), task("c"), task("clean"), task("alert")),
        *("b -> c", "a -* clean", "b -x alert"),
        failure_policy=FailurePolicy.FAIL_FAST,
    ),
    calls={"a": "fails", "b": "works-200", "clean": "works-50"},
    failing={"a": 1},
)
_AGAIN = Pipeline(
    dag(
        (task("a"), task("b")),
        "a -> b",
        failure_policy=FailurePolicy.RETRY,
        max_retries=1,
    ),
    calls={"a": "rounds-1"},
    failing={"a": 1},
)
_REPAIRED = Pipeline(
    dag((task("a"), task("b")), "a -> b", failure_policy=FailurePolicy.CONTINUE),
    calls={"a": "rounds-1"},
    failing={"a": 1},
)
_WIDE = Pipeline(
    dag(
        (
            task("part", fan_out=FanOut(over="parameters.parts", max_width=5)),
            task("b", input='{"$ref":"tasks.part.result"}'),
        ),
        "part -> b",
    ),
    parameters={"parts": [1, 2, 3]},
)
_PATCHED = Pipeline(
    dag(
        (task("part", fan_out=FanOut(over="parameters.parts", max_width=5)), task("b")),
        "part -> b",
        failure_policy=FailurePolicy.RETRY,
        max_retries=1,
    ),
    calls={"part": "member-2"},
    parameters={"parts": [1, 2, 3]},
)
_WORKING = Pipeline(dag((task("a"), task("b")), "a -> b"), calls={"a": "works-200"})
_RESTING = Pipeline(dag((task("a"), task("b")), "a -> b"), calls={"a": "works-50"})


def _a_result_is_handed_on(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    assert {e.payload for e in story.effects if "-b-" in e.run} == {"done"}


def _the_rest_is_stopped(story: Story, pipeline: Pipeline) -> None:
    """The tasks under way when ``a`` failed; what is behind it never begins."""
    del pipeline
    assert status_of(story) == ("failed", "fail_fast")
    assert states_of(story) == {"a": "dead_lettered", "b": _stopped(story), "c": "cancelled"}
    assert not [row for row in task_rows(story.runs) if mark_of(row)[1] == "c"]
    assert executions_of(story) == ["FAILED"]


def _stopped(story: Story) -> str:
    """Return the end that ``b`` has to have: its first heartbeat after ``a`` failed cancels it.

    It may succeed before that heartbeat: two deaths put the failure of ``a`` off so far.
    """
    ends = {mark_of(row)[1]: instant(str(row.text("ended_at"))) for row in task_rows(story.runs)}
    is_too_late = ends["b"] - ends["a"] <= _HEARTBEAT and states_of(story)["b"] == "succeeded"
    return "succeeded" if is_too_late else "cancelled"


def _the_failure_is_cleaned_up(story: Story, pipeline: Pipeline) -> None:
    """Runs triggered by the failure end, and no other run begins."""
    del pipeline
    assert status_of(story) == ("failed", "fail_fast")
    assert states_of(story) == {
        "a": "dead_lettered",
        "b": _stopped(story),
        "c": "cancelled",
        "clean": "succeeded",
        "alert": "succeeded",
    }
    assert not [row for row in task_rows(story.runs) if mark_of(row)[1] == "c"]
    assert executions_of(story) == ["FAILED"]


def _the_second_round_succeeds(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    assert [mark_of(row)[:2] for row in first_tries(story)] == [(1, "a"), (2, "a"), (2, "b")]


def _begin_repaired(story: Story) -> Pipeline:
    """Let an operator repeat the pipeline as soon as it has failed."""
    story.cloud.at(5, partial(_repair, story))
    return begin(_REPAIRED, story)


def _repair(story: Story) -> None:
    run = dag_run_of(story.runs)
    if run is not None and run["status"]["S"] == "failed":
        steer(story, "retry")
    elif run is None or run["status"]["S"] != "succeeded":
        story.cloud.at(5, partial(_repair, story))


def _is_repaired(story: Story, pipeline: Pipeline) -> None:
    assert status_of(story) == ("succeeded", None)
    assert set(states_of(story).values()) == {"succeeded"}
    assert len(executions_of(story)) == 2
    assert executions_of(story)[1] == "SUCCEEDED"
    assert [mark_of(row)[:2] for row in first_tries(story)] == [(1, "a"), (2, "a"), (2, "b")]
    assert pipeline is _REPAIRED


def _each_member_runs(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    parts = [e.payload for e in story.effects if "-part-" in e.run]
    assert {str(part) for part in parts} == {"1", "2", "3"}
    joined = [e.payload for e in story.effects if "-b-" in e.run]
    assert joined[0] == ["done"] * 3
    assert len(first_tries(story)) == 4


def _members_that_failed_run_again(story: Story, pipeline: Pipeline) -> None:
    """A member that has succeeded keeps its run; one under way at the failure runs again."""
    del pipeline
    assert status_of(story) == ("succeeded", None)
    assert set(states_of(story).values()) == {"succeeded"}
    parts = [mark_of(row) for row in first_tries(story) if mark_of(row)[1] == "part"]
    assert {(1, "part", 2), (2, "part", 2)} <= set(parts)
    assert story.faults or len(parts) == 4


def _begin_cancelled(story: Story) -> Pipeline:
    story.cloud.at(20, partial(steer, story, "cancel"))
    return begin(_WORKING, story)


def _is_cancelled(story: Story, pipeline: Pipeline) -> None:
    del pipeline
    if story.stood_still("api"):
        return
    assert status_of(story) == ("cancelled", "dag_cancelled")
    assert states_of(story) == {"a": "cancelled", "b": "cancelled"}
    assert executions_of(story) == ["FAILED"]


def _begin_late(story: Story) -> Pipeline:
    """Every step of the execution comes when what it would do or wait for is done."""
    story.cloud.region.machine.slow_seconds = 100
    return begin(_LINE, story)


def _begin_aborted(story: Story) -> Pipeline:
    """No execution waits any more: the callbacks are answered in vain."""
    story.cloud.at(20, partial(_until_met, story, story.cloud.region.machine.abort))
    return begin(_RESTING, story)


def _until_met(story: Story, strike: Callable[[], bool]) -> None:
    """Strike an execution, as soon as there is one to be struck."""
    if not strike():
        story.cloud.at(5, partial(_until_met, story, strike))


def _goes_on_alone(story: Story, pipeline: Pipeline) -> None:
    comes_to(story, pipeline, ["ABORTED"])


def _begin_given_up(story: Story) -> Pipeline:
    """A callback never comes: its state reaches its time limit, and that is cleaned up."""
    time_out = partial(story.cloud.region.machine.time_out, "Tasks")
    story.cloud.at(20, partial(_until_met, story, time_out))
    return begin(_WORKING, story)


def _is_cleaned_up(story: Story, pipeline: Pipeline) -> None:
    del pipeline
    assert status_of(story) == ("failed", "execution_failed")
    assert states_of(story) == {"a": "cancelled", "b": "cancelled"}
    assert executions_of(story) == ["FAILED"]


def _flow(
    name: str,
    pipeline: Pipeline | Callable[[Story], Pipeline],
    promise: Callable[[Story, Pipeline], None],
    *,
    most: int = _MOST,
) -> Flow:
    own = partial(begin, pipeline) if isinstance(pipeline, Pipeline) else pipeline
    return Flow(name, own, promise, most=most)


DAGS = (
    # The planted bugs of DAG runs are noticed here (``tests/mutation``).
    _flow("dag in a line", _LINE, _a_result_is_handed_on, most=70),
    _flow("dag fails fast", _STOPPING, _the_rest_is_stopped),
    _flow("dag cleans up", _CLEANING, _the_failure_is_cleaned_up),
    _flow("dag tries again", _AGAIN, _the_second_round_succeeds),
    _flow("dag is repaired", _begin_repaired, _is_repaired),
    _flow("dag fans out", _WIDE, _each_member_runs),
    _flow("dag fans out again", _PATCHED, _members_that_failed_run_again),
    _flow("dag is cancelled", _begin_cancelled, _is_cancelled),
    _flow("dag, late steps", _begin_late, succeeds),
    _flow("dag, aborted", _begin_aborted, _goes_on_alone),
    _flow("dag, no callback", _begin_given_up, _is_cleaned_up),
)
