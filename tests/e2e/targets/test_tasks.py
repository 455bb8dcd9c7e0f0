"""Fargate tasks on the deployed stack. The local cloud keeps records of tasks and runs none."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide


@pytest.fixture(scope="module")
def action(stack: Stack) -> Iterator[dict[str, Any]]:
    """An action on a definition and in a cluster of the tenant's."""
    ecs = stack.aws("ecs")
    name = stack.target("tasks")
    cluster = ecs.create_cluster(clusterName=name)["cluster"]["clusterArn"]
    ecs.register_task_definition(
        family=name,
        requiresCompatibilities=["FARGATE"],
        networkMode="awsvpc",
        cpu="256",
        memory="512",
        containerDefinitions=[{"name": "app", "image": "example/app", "essential": True}],
    )
    yield {
        "type": "ecs",
        "cluster_arn": cluster,
        "task_definition": name,
        "container": "app",
        "subnets": ["subnet-0a1b2c3d"],
    }
    ecs.delete_cluster(cluster=name)


def started(stack: Stack, job: dict[str, Any], cluster: str) -> tuple[dict[str, Any], Any]:
    """The job's run, and its one task, as soon as it has started."""
    ecs = stack.aws("ecs")

    def found() -> tuple[dict[str, Any], Any] | None:
        for run in stack.runs(job["job_id"]):
            name = run["run_id"].replace(".", "-")
            tasks = ecs.list_tasks(cluster=cluster, startedBy=name)["taskArns"]
            if tasks:
                (task,) = ecs.describe_tasks(cluster=cluster, tasks=tasks)["tasks"]
                return run, task
        return None

    return wait_until(found, seconds=40, what=lambda: stack.runs(job["job_id"]))


def begun(
    stack: Stack, name: str, action: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], Any]:
    """A job that runs at once, its run and its task."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "immediate"},
        action=action,
        payload={"n": 1},
        timeout_seconds=3_600,
        retry={"max_attempts": 1},
    )
    return job, *started(stack, job, action["cluster_arn"])


def test_a_cancelled_run_stops_its_task(stack: Stack, action: dict[str, Any]) -> None:
    """The task has payload and run; no executor waits for it, and one stops it."""
    _, run, task = begun(stack, "task to cancel", action)
    (container,) = task["overrides"]["containerOverrides"]
    told = {each["name"]: each["value"] for each in container["environment"]}
    stack.api.post(f"/v1/runs/{run['run_id']}/cancel")
    ecs = stack.aws("ecs")

    def stopped() -> Any:  # noqa: ANN401 - as the SDK has it
        (now,) = ecs.describe_tasks(cluster=action["cluster_arn"], tasks=[task["taskArn"]])["tasks"]
        return now if now["lastStatus"] == "STOPPED" else None

    ended = wait_until(stopped, seconds=60, what=lambda: "the task goes on")

    assert told["TIMEGATE_PAYLOAD"] == '{"n":1}'
    assert told["TIMEGATE_RUN_ID"] == run["run_id"]
    assert ended["stoppedReason"].startswith("Timegate")


def test_a_task_that_an_operator_stopped_fails_its_run(
    stack: Stack, action: dict[str, Any]
) -> None:
    """A look finds it; it is not started again."""
    job, _, task = begun(stack, "task to stop", action)
    stack.aws("ecs").stop_task(
        cluster=action["cluster_arn"], task=task["taskArn"], reason="not today"
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="failed")

    assert run["error"]["code"] == "task_stopped"
    assert run["error"]["message"] == "not today"


def test_another_tenants_definition_is_refused(stack: Stack, action: dict[str, Any]) -> None:
    """The list names the tenant's own."""
    foreign = "timegate-target-other-tasks"
    refused = stack.api.post(
        "/v1/jobs",
        json={
            "name": "foreign",
            "schedule": {"kind": "immediate"},
            "action": action | {"task_definition": foreign},
        },
    )

    assert [each["code"] for each in refused.json()["errors"]] == ["target_not_allowed"]
