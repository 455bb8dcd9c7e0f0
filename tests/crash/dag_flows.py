"""DAG runs: started, failed, repeated, cancelled; and executions that are of no help."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.crash.dag_judge import DagJudge, dag_run_of, mark_of, task_rows, tasks_of
from tests.crash.story import Flow, Story
from tests.crash.targets import ARN
from tests.property.dag_oracle import come_to
from tests.property.dag_strategies import Fate
from tests.unit.domain.dag.definitions import dag, task
from timegate.domain.dag.definition import Dag, FailurePolicy, FanOut, TaskKey
from timegate.domain.run import RunState

_RETRY = {"backoff": "fixed", "jitter": False, "breaker": None, "initial_delay_seconds": 1}
_OFTEN = {**_RETRY, "max_attempts": 3}
_SELDOM = {**_RETRY, "max_attempts": 1}
#: Of the sampled points of each flow; ``make crash-matrix`` tries all.
_MOST = 12


@dataclass(frozen=True)
class Pipeline:
    """A DAG, what its tasks call, and how that ends."""

    dag: Dag
    #: The functions that tasks call, where it is not ``ok``.
    calls: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)
    #: Those that fail for good, with the last round in which they do.
    failing: Mapping[str, int] = field(default_factory=dict)

    @property
    def fate(self) -> Fate:
        """As the oracle is told it: what fails for good is a dead letter."""
        ends = {
            (TaskKey(key), number): RunState.DEAD_LETTERED
            for key, last in self.failing.items()
            for number in range(1, last + 1)
        }
        return Fate(ends=ends)

    def body(self) -> dict[str, object]:
        """As a caller defines it."""
        return {
            "name": "nightly",
            "tasks": [self._task(each.key) for each in self.dag.tasks],
            "edges": [
                {"source": e.source, "target": e.target, "condition": e.condition}
                for e in self.dag.edges
            ],
            "failure_policy": {
                "policy": self.dag.failure_policy,
                "max_retries": self.dag.max_retries,
            },
        }

    def _task(self, key: str) -> dict[str, object]:
        (own,) = (each for each in self.dag.tasks if each.key == key)
        function = self.calls.get(key, "ok")
        works = function.startswith("works")
        job: dict[str, object] = {
            "action": {"type": "lambda", "function_arn": f"{ARN}{function}"},
            "retry": _SELDOM if function == "fails" else _OFTEN,
            **({"resource_class": "long", "timeout_seconds": 300} if works else {}),
        }
        written: dict[str, object] = {"key": key, "job": job}
        if own.input is not None:
            written["input"] = json.loads(own.input)
        if own.fan_out is not None:
            written["fan_out"] = {"over": own.fan_out.over, "max_width": own.fan_out.max_width}
        return written


def begin(pipeline: Pipeline, story: Story) -> Pipeline:
    """Define it and start it, each under a key; look at it whenever something has happened."""
    judge = DagJudge(pipeline.dag)
    story.judges.append(lambda: judge.look(story.runs))
    story.last_judges.append(lambda: judge.look_at_end(story.runs))
    created = story.send("POST", "/v1/dags", pipeline.body(), Idempotency_Key="dag")
    path = f"/v1/dags/{created.body['dag_id']}/runs"
    body = {"parameters": pipeline.parameters}
    story.send("POST", path, body, Idempotency_Key="run")
    return pipeline


def steer(story: Story, verb: str) -> None:
    """Cancel the DAG run, or retry it; an earlier request may have been heard, not answered."""
    run = dag_run_of(story.runs)
    assert run is not None
    dag_run_id = run["pk"]["S"].rpartition("#")[2]
    answered = story.cloud.request(story.tenant, "POST", f"/v1/dag-runs/{dag_run_id}/{verb}")
    known = {"dag_run_finished", "dag_run_unfinished", "nothing_to_repeat"}
    assert answered.status < 400 or answered.code in known, answered.body


def status_of(story: Story) -> tuple[str, str | None]:
    """Status and reason of the DAG run."""
    run = dag_run_of(story.runs)
    assert run is not None
    return run["status"]["S"], run.get("reason", {}).get("S")


def states_of(story: Story) -> dict[str, str]:
    """The state of each task."""
    return {key: state for key, (_, state) in tasks_of(story.runs).items()}


def executions_of(story: Story) -> list[str]:
    """How its executions ended, in the order in which they began."""
    return [each.status for each in story.cloud.region.machine.executions.values()]


def comes_to(story: Story, pipeline: Pipeline, executions: list[str]) -> None:
    """What the oracle says, and each run called its target as often as it was tried."""
    status, states = come_to(pipeline.dag, pipeline.fate)
    assert states_of(story) == states
    assert status_of(story)[0] == status
    assert executions_of(story) == executions
    story.assert_called()


def succeeds(story: Story, pipeline: Pipeline) -> None:
    """Every task, in one execution."""
    comes_to(story, pipeline, ["SUCCEEDED"])


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
_WORKING = Pipeline(dag((task("a"), task("b")), "a -> b"), calls={"a": "works-200"})
_RESTING = Pipeline(dag((task("a"), task("b")), "a -> b"), calls={"a": "works-50"})


def _a_result_is_handed_on(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    assert {e.payload for e in story.effects if "-b-" in e.run} == {"done"}


def _the_rest_is_stopped(story: Story, pipeline: Pipeline) -> None:
    """Whoever was under way when ``a`` failed; what is behind it never begins."""
    del pipeline
    assert status_of(story) == ("failed", "fail_fast")
    states = states_of(story)
    assert (states["a"], states["c"]) == ("dead_lettered", "cancelled")
    # It may have ended before anybody was found to hear of the failure.
    assert states["b"] == "cancelled"
    assert not [row for row in task_rows(story.runs) if mark_of(row)[1] == "c"]
    assert executions_of(story) == ["FAILED"]


def _the_second_round_succeeds(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    assert [mark_of(row)[:2] for row in _first(story)] == [(1, "a"), (2, "a"), (2, "b")]


def _begin_repaired(story: Story) -> Pipeline:
    """As soon as it has failed somebody repeats it."""
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
    assert [mark_of(row)[:2] for row in _first(story)] == [(1, "a"), (2, "a"), (2, "b")]
    assert pipeline is _REPAIRED


def _each_member_runs(story: Story, pipeline: Pipeline) -> None:
    succeeds(story, pipeline)
    parts = [e.payload for e in story.effects if "-part-" in e.run]
    assert {str(part) for part in parts} == {"1", "2", "3"}
    joined = [e.payload for e in story.effects if "-b-" in e.run]
    assert joined[0] == ["done"] * 3
    assert len(_first(story)) == 4


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
    """Nobody waits any more: the callbacks are answered in vain."""
    story.cloud.at(20, story.cloud.region.machine.abort)
    return begin(_RESTING, story)


def _goes_on_alone(story: Story, pipeline: Pipeline) -> None:
    comes_to(story, pipeline, ["ABORTED"])


def _begin_given_up(story: Story) -> Pipeline:
    """A callback never comes: its state reaches its time limit, and that is cleaned up."""
    story.cloud.at(20, partial(story.cloud.region.machine.time_out, "Tasks"))
    return begin(_WORKING, story)


def _is_cleaned_up(story: Story, pipeline: Pipeline) -> None:
    del pipeline
    assert status_of(story) == ("failed", "execution_failed")
    assert states_of(story) == {"a": "cancelled", "b": "cancelled"}
    assert executions_of(story) == ["FAILED"]


def _first(story: Story) -> list[Any]:
    """The first attempts at runs of tasks."""
    return [row for row in task_rows(story.runs) if row.number == 1]


def _flow(
    name: str,
    pipeline: Pipeline | Callable[[Story], Pipeline],
    promise: Callable[[Story, Pipeline], None],
) -> Flow:
    own = partial(begin, pipeline) if isinstance(pipeline, Pipeline) else pipeline
    return Flow(name, own, promise, most=_MOST)


DAGS = (
    _flow("dag in a line", _LINE, _a_result_is_handed_on),
    _flow("dag fails fast", _STOPPING, _the_rest_is_stopped),
    _flow("dag tries again", _AGAIN, _the_second_round_succeeds),
    _flow("dag is repaired", _begin_repaired, _is_repaired),
    _flow("dag fans out", _WIDE, _each_member_runs),
    _flow("dag is cancelled", _begin_cancelled, _is_cancelled),
    _flow("dag, late steps", _begin_late, succeeds),
    _flow("dag, aborted", _begin_aborted, _goes_on_alone),
    _flow("dag, no callback", _begin_given_up, _is_cleaned_up),
)
