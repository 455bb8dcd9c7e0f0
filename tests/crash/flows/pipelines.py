"""DAGs as callers define them, and what becomes of their runs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.crash.judges.checker import Row
from tests.crash.judges.dag_judge import DagJudge, dag_run_of, task_rows, tasks_of
from tests.crash.services.targets import ARN
from tests.crash.story import Story
from tests.property.dag_runs.dag_oracle import come_to
from tests.property.dags.dag_strategies import Fate
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.waits import WaitTask
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey

_RETRY = {"backoff": "fixed", "jitter": False, "breaker": None, "initial_delay_seconds": 1}
_OFTEN = {**_RETRY, "max_attempts": 3}
_SELDOM = {**_RETRY, "max_attempts": 1}


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
        """Return the fate for the oracle: a permanent failure is a dead letter."""
        ends = {
            (TaskKey(key), number): RunState.DEAD_LETTERED
            for key, last in self.failing.items()
            for number in range(1, last + 1)
        }
        return Fate(ends=ends)

    def body(self) -> dict[str, object]:
        """Return the request that defines the DAG."""
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
        if isinstance(own.spec, WaitTask):
            wait: dict[str, Any] = {"kind": own.spec.kind, "seconds": own.spec.seconds}
            if own.spec.event is not None:
                correlation = json.loads(own.spec.event.correlation)
                wait["event"] = {"type": own.spec.event.type, "correlation": correlation}
            if own.spec.link_secret is not None:
                wait["link_secret"] = {"ssm_parameter": own.spec.link_secret.ssm_parameter}
            return {"key": key, "wait": {**wait, "on_expiry": own.spec.on_expiry}}
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


def watch(story: Story, judge: DagJudge) -> None:
    """Look at the DAG run whenever something has happened."""
    story.judges.append(lambda: judge.look(story.runs))
    story.last_judges.append(lambda: judge.look_at_end(story.runs))


def define(pipeline: Pipeline, story: Story) -> str:
    """Define it under a key; its id."""
    created = story.send("POST", "/v1/dags", pipeline.body(), Idempotency_Key="dag")
    return str(created.body["dag_id"])


def begin(pipeline: Pipeline, story: Story, judge: DagJudge | None = None) -> Pipeline:
    """Define it and start it, each under a key; it is looked at all the time."""
    watch(story, judge or DagJudge(pipeline.dag))
    path = f"/v1/dags/{define(pipeline, story)}/runs"
    body = {"parameters": pipeline.parameters}
    story.send("POST", path, body, Idempotency_Key="run")
    return pipeline


def dag_run_id_of(story: Story) -> str:
    """The id of the DAG run, which is there."""
    run = dag_run_of(story.runs)
    assert run is not None
    return str(run["pk"]["S"]).rpartition("#")[2]


def steer(story: Story, verb: str) -> None:
    """Cancel the DAG run, or retry it; an earlier request may have been heard, not answered."""
    path = f"/v1/dag-runs/{dag_run_id_of(story)}/{verb}"
    answered = story.cloud.request(story.tenant, "POST", path)
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
    """Return the ends of its executions, in the order of their begin."""
    return [each.status for each in story.cloud.region.machine.executions.values()]


def comes_to(story: Story, pipeline: Pipeline, executions: list[str]) -> None:
    """Assert the oracle's end, and one call of the target per attempt."""
    status, states = come_to(pipeline.dag, pipeline.fate)
    assert states_of(story) == states
    assert status_of(story)[0] == status
    assert executions_of(story) == executions
    story.assert_called()


def succeeds(story: Story, pipeline: Pipeline) -> None:
    """Every task, in one execution."""
    comes_to(story, pipeline, ["SUCCEEDED"])


def first_tries(story: Story) -> list[Row]:
    """The first attempts at runs of tasks."""
    return [row for row in task_rows(story.runs) if row.number == 1]
