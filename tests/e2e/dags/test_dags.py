"""DAG runs on the deployed stack: pipelines that run, fail under a policy, and are repaired."""

import json
from typing import Any

from infra.constructs.dags.dag_events import INPUT_PATHS, input_template
from infra.local.webhook_target import Recorder
from tests.support.deployed.deployed_dags import PATIENCE, ended, executions, hook, run_of, started
from tests.support.deployed.stack import Stack, wait_until


def diamond(recorder: Recorder) -> dict[str, object]:
    """Two loads beside each other, and a report after both."""
    return {
        "name": "diamond",
        "tasks": [
            hook(recorder, "extract"),
            hook(recorder, "load_dim", input={"day": {"$ref": "parameters.day"}}),
            hook(recorder, "load_fact"),
            hook(recorder, "report"),
        ],
        "edges": [
            {"source": "extract", "target": "load_dim"},
            {"source": "extract", "target": "load_fact"},
            {"source": "load_dim", "target": "report"},
            {"source": "load_fact", "target": "report"},
        ],
        "failure_policy": {"policy": "continue"},
    }


def wide(recorder: Recorder) -> dict[str, object]:
    """A task for each part, and one after all of them."""
    return {
        "name": "wide",
        "tasks": [
            hook(recorder, "part", fan_out={"over": "parameters.parts"}),
            hook(recorder, "joined"),
        ],
        "edges": [{"source": "part", "target": "joined"}],
    }


def endless(recorder: Recorder) -> dict[str, object]:
    """A task that waits, and one that waits for it."""
    return {
        "name": "endless",
        "tasks": [hook(recorder, "endless"), hook(recorder, "never")],
        "edges": [{"source": "endless", "target": "never"}],
    }


def test_a_diamond_runs_fails_and_is_repaired(stack: Stack, recorder: Recorder) -> None:
    """Beside a run of it with a fan-out in it, and one that is cancelled."""
    recorder.answer("load_fact", 410)
    released = recorder.hold("endless")
    first = started(stack, diamond(recorder), day="2026-11-21")
    second = started(stack, wide(recorder), parts=[1, 2, 3, 4, 5])
    third = started(stack, endless(recorder))
    recorder.wait_for("endless", 1, seconds=PATIENCE)
    cancelled = stack.api.post(f"/v1/dag-runs/{third}/cancel")
    failed = ended(stack, first, "failed")
    joined = ended(stack, second, "succeeded")
    recorder.answer("load_fact", 200)
    retried = stack.api.post(f"/v1/dag-runs/{first}/retry")
    repaired = ended(stack, first, "succeeded")
    released.set()
    stopped = ended(stack, third, "cancelled")

    assert (cancelled.status_code, retried.status_code) == (200, 202)
    assert failed == {
        "extract": "succeeded",
        "load_dim": "succeeded",
        "load_fact": "failed",
        "report": "skipped",
    }
    assert set(repaired.values()) == set(joined.values()) == {"succeeded"}
    assert stopped["never"] == "cancelled"
    called = {name: len(recorder.requests(name)) for name in ("extract", "load_fact", "report")}
    assert called == {"extract": 1, "load_fact": 2, "report": 1}
    assert [each.body for each in recorder.requests("load_dim")] == [{"day": "2026-11-21"}]
    assert sorted(each.body for each in recorder.requests("part")) == [1, 2, 3, 4, 5]
    assert len(recorder.requests("joined")) == 1
    assert recorder.requests("never") == []
    wait_until(
        lambda: executions(stack, first) == ["FAILED", "SUCCEEDED"] or None,
        seconds=PATIENCE,
        what=lambda: executions(stack, first),
    )


def created(stack: Stack, recorder: Recorder, name: str) -> str:
    """A DAG of one task, which is given the parameters; its id."""
    task = hook(recorder, name, input={"$ref": "parameters"})
    answer = stack.api.post("/v1/dags", json={"name": name, "tasks": [task]})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["dag_id"])


def run_in(stack: Stack, run_id: str, *states: str) -> dict[str, Any]:
    """A run of a job, once it is in one of the states."""

    def look() -> dict[str, Any] | None:
        run: dict[str, Any] = stack.api.get(f"/v1/runs/{run_id}").json()
        return run if run["state"] in states else None

    return wait_until(
        look, seconds=PATIENCE, what=lambda: stack.api.get(f"/v1/runs/{run_id}").json()
    )


def rule_for(stack: Stack, dag_id: str) -> None:
    """Make the construct's rule: this stack's tenants are not known when it is synthesised."""
    events = stack.aws("events")
    (steps,) = [
        each["FunctionArn"]
        for each in stack.aws("lambda").list_functions()["Functions"]
        if each["FunctionName"].endswith("-dag_runs")
    ]
    events.put_rule(Name="landed", EventPattern=json.dumps({"source": ["test.landed"]}))
    transformer = {
        "InputPathsMap": INPUT_PATHS,
        "InputTemplate": input_template(stack.outputs["UserPoolClientId"], dag_id),
    }
    target = {"Id": "Steps", "Arn": steps, "InputTransformer": transformer}
    events.put_targets(Rule="landed", Targets=[target])


def put_landed(stack: Stack) -> dict[str, Any]:
    """Put an event that the rule matches; it names a tenant, for nothing."""
    entry = {
        "Source": "test.landed",
        "DetailType": "File landed",
        "Detail": json.dumps({"file": "a.csv", "tenant": "another"}),
    }
    answer: dict[str, Any] = stack.aws("events").put_events(Entries=[entry])
    return answer


def scheduled(stack: Stack, recorder: Recorder) -> dict[str, Any]:
    """A job that starts its DAG twice, with four seconds or more between."""
    return stack.create_job(
        name="scheduled",
        schedule={"kind": "rate", "every_seconds": 4, "max_runs": 2},
        action={"type": "dag", "dag_id": created(stack, recorder, "scheduled")},
        payload={"full": True},
        overlap={"policy": "forbid"},
    )


def test_dags_run_on_schedules_and_on_events(stack: Stack, recorder: Recorder) -> None:
    """A run of the job lasts as long as its DAG run, and no other of it begins meanwhile."""
    released, stuck = recorder.hold("scheduled"), recorder.hold("replaced")
    job = scheduled(stack, recorder)
    other = stack.create_job(
        name="cancelled",
        schedule={"kind": "immediate"},
        action={"type": "dag", "dag_id": created(stack, recorder, "replaced")},
    )
    landed = created(stack, recorder, "landed")
    rule_for(stack, landed)
    put = put_landed(stack)
    recorder.wait_for("replaced", 1, seconds=PATIENCE)
    (called_off,) = stack.runs(other["job_id"])
    stack.api.post(f"/v1/runs/{called_off['run_id']}/cancel")
    # Each skipped run gives its place of ``max_runs`` back, and one more is planned.
    *_, skipped, running = stack.wait_for_runs(job["job_id"], 1, state="skipped", seconds=PATIENCE)
    recorder.wait_for("scheduled", 1, seconds=PATIENCE)
    held = run_in(stack, running["run_id"], "running")
    meanwhile = [each.body for each in recorder.requests("scheduled")]
    released.set()
    done = run_in(stack, running["run_id"], "succeeded")
    cancelled = run_in(stack, called_off["run_id"], "cancelled")
    stuck.set()
    dag_run = run_of(stack, done["dag_run_id"])
    (request,) = recorder.wait_for("landed", 1, seconds=PATIENCE)
    (on_event,) = stack.api.get(f"/v1/dags/{landed}/runs").json()["items"]

    assert skipped["reason"] == "overlap"
    assert held["attempts"][0]["handed_over_at"] is not None
    assert (dag_run["status"], dag_run["trigger"]) == ("succeeded", "job")
    assert (dag_run["job_id"], dag_run["run_id"]) == (job["job_id"], running["run_id"])
    assert dag_run["scheduled_at"] == running["scheduled_at"]
    assert meanwhile == [{"full": True}]
    assert run_of(stack, cancelled["dag_run_id"])["status"] == "cancelled"
    assert put["FailedEntryCount"] == 0
    assert on_event["trigger"] == "event"
    assert request.body["detail"] == {"file": "a.csv", "tenant": "another"}
    assert request.body["id"] == put["Entries"][0]["EventId"]
