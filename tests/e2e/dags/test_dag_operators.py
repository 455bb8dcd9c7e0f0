"""Operators at the command line decide tasks of DAG runs on the deployed stack."""

from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.command_line import CommandLine
from tests.support.deployed.deployed_dags import PATIENCE, ended, executions, hook, run_of, started
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide


def unserved(key: str) -> dict[str, Any]:
    """A task for workers that never come."""
    return {
        "key": key,
        "job": {"action": {"type": "worker", "pool": "unserved", "handler": "wait"}},
    }


def stuck(recorder: Recorder) -> dict[str, Any]:
    """Two tasks that no worker does, and one behind each."""
    return {
        "name": "stuck",
        "tasks": [
            unserved("load"),
            unserved("tidy"),
            hook(recorder, "loaded", input={"$ref": "tasks.load.result"}),
            hook(recorder, "tidied"),
        ],
        "edges": [
            {"source": "load", "target": "loaded"},
            {"source": "tidy", "target": "tidied"},
        ],
    }


def broken(recorder: Recorder) -> dict[str, Any]:
    """A fan-out of which one member fails, what follows it, and a branch beside it."""
    return {
        "name": "broken",
        "tasks": [
            hook(recorder, "source"),
            hook(recorder, "piece", fan_out={"over": "parameters.pieces"}),
            hook(recorder, "whole"),
            hook(recorder, "beside"),
            hook(recorder, "behind"),
        ],
        "edges": [
            {"source": "source", "target": "piece"},
            {"source": "piece", "target": "whole"},
            {"source": "source", "target": "beside"},
            {"source": "beside", "target": "behind"},
        ],
        "failure_policy": {"policy": "continue"},
    }


def wait_for_start(stack: Stack, dag_run_id: str, *keys: str) -> None:
    """Until tasks are under way."""

    def look() -> bool | None:
        states = {task["key"]: task["state"] for task in run_of(stack, dag_run_id)["tasks"]}
        return all(states[key] != "pending" for key in keys) or None

    wait_until(look, seconds=PATIENCE, what=lambda: run_of(stack, dag_run_id))


def unstick(timegate: CommandLine, dag_run_id: str) -> Any:  # noqa: ANN401 - JSON
    """Complete one of the two, twice, and leave the other out; the first answer."""
    result = ("--result", '{"rows": 5}', "--reason", "loaded by hand")
    first, _ = [timegate.json("dags", "complete", dag_run_id, "load", *result) for _ in range(2)]
    timegate.json("dags", "skip", dag_run_id, "tidy", "--reason", "tidy enough", "--yes")
    return first


def trail(stack: Stack, dag_run_id: str) -> list[tuple[str, str]]:
    """Return operations on a DAG run and their clients, the latest first."""
    params = {"resource": f"dag_run/{dag_run_id}"}
    entries = stack.api.get("/v1/audit", params=params).json()["items"]
    return [(entry["operation"], entry["actor"]["client_id"]) for entry in entries]


def wait_for_executions(stack: Stack, dag_run_id: str, *statuses: str) -> None:
    """Until those of all rounds have ended, each as it should."""
    wait_until(
        lambda: executions(stack, dag_run_id) == list(statuses) or None,
        seconds=PATIENCE,
        what=lambda: executions(stack, dag_run_id),
    )


def test_operators_decide_what_is_stuck_and_run_again_what_failed(
    stack: Stack, recorder: Recorder, timegate: CommandLine
) -> None:
    """Completed, skipped, members run again, and a branch of what had ended; the rest stays."""
    recorder.answer("piece", 410)
    waiting = started(stack, stuck(recorder))
    failing = started(stack, broken(recorder), pieces=["a", "b", "c"])
    wait_for_start(stack, waiting, "load", "tidy")
    completed = unstick(timegate, waiting)
    went_on = ended(stack, waiting, "succeeded")
    failed = ended(stack, failing, "failed")
    # An execution that comes to its last step after its run was opened anew says FAILED.
    wait_for_executions(stack, failing, "FAILED")
    timegate.json(
        "dags", "rerun", failing, "piece", "--members", "failed", "--scope", "task", "--yes"
    )
    repaired = ended(stack, failing, "succeeded")
    wait_for_executions(stack, failing, "FAILED", "SUCCEEDED")
    again = timegate.json("dags", "rerun", failing, "beside", "--yes")
    finished = ended(stack, failing, "succeeded")
    wait_for_executions(stack, failing, "FAILED", "SUCCEEDED", "SUCCEEDED")

    assert (completed["task"]["state"], again["round"]) == ("succeeded", 3)
    assert [went_on[key] for key in ("load", "loaded")] == ["succeeded"] * 2
    assert [went_on[key] for key in ("tidy", "tidied")] == ["skipped"] * 2
    assert [each.body for each in recorder.requests("loaded")] == [{"rows": 5}]
    assert recorder.requests("tidied") == []
    assert [failed[key] for key in ("piece", "whole", "behind")] == [
        "failed",
        "skipped",
        "succeeded",
    ]
    assert set(repaired.values()) == set(finished.values()) == {"succeeded"}
    assert {each.body for each in recorder.requests("piece")} == {"a", "b", "c"}
    called = ("source", "whole", "beside", "behind")
    assert [len(recorder.requests(name)) for name in called] == [1, 1, 2, 2]
    by = stack.outputs["UserPoolClientId"]
    done = ("skipDagTask", "completeDagTask", "startDagRun")
    assert trail(stack, waiting) == [(operation, by) for operation in done]
