"""Definitions of DAGs on the deployed stack: every version stays, however large."""

import pytest

from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.wide

WORK = {"action": {"type": "worker", "pool": "etl", "handler": "work"}}


def test_a_dag_is_defined_changed_drawn_and_deleted(stack: Stack) -> None:
    """By a function that may do no more than it has to: tables, index and blobs."""
    job = stack.create_job(
        name="e2e task",
        schedule={"kind": "cron", "cron": "0 0 1 1 *"},
        action=WORK["action"],
    )
    many = [{"key": f"t{n}", "name": "x" * 150, "job": WORK} for n in range(200)]
    line = [{"source": f"t{n}", "target": f"t{n + 1}"} for n in range(199)]
    created = stack.api.post("/v1/dags", json={"name": "e2e", "tasks": many, "edges": line})
    path = f"/v1/dags/{created.json()['dag_id']}"
    small = {"tasks": [{"key": "a", "job_id": job["job_id"]}], "edges": []}
    changed = stack.api.patch(path, json=small, headers={"If-Match": '"1"'})
    stale = stack.api.patch(path, json=small, headers={"If-Match": '"1"'})
    first = stack.api.get(f"{path}/versions/1").json()
    drawn = stack.api.get(f"{path}/graph", params={"format": "mermaid"}).json()
    stack.api.delete(f"/v1/jobs/{job['job_id']}")
    wrong = stack.api.post(f"{path}/validate").json()
    deleted = stack.api.delete(path).json()
    versions = stack.api.get(f"{path}/versions").json()["items"]
    listed = stack.api.get("/v1/dags", params={"status": "deleted"}).json()["items"]

    assert (created.status_code, changed.status_code, stale.status_code) == (201, 200, 412)
    assert (first["task_count"], first["edges"][-1]["target"]) == (200, "t199")
    assert drawn["text"] == 'flowchart LR\n    t0(["a"])\n'
    assert [error["code"] for error in wrong["errors"]] == ["cancelled_job"]
    assert (deleted["status"], [row["version"] for row in versions]) == ("deleted", [3, 2, 1])
    assert deleted["dag_id"] in [row["dag_id"] for row in listed]
