"""Operations on the deployed stack: many jobs at once, and the past of one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from tests.support.deployed.timing.clock_edges import hours_until

pytestmark = pytest.mark.wide

JOBS = 3


def started(stack: Stack, path: str, body: dict[str, Any]) -> str:
    """Start an operation; its id."""
    answer = stack.api.post(path, json=body)
    assert answer.status_code == 202, answer.text
    operation_id: str = answer.json()["operation_id"]
    return operation_id


def operation(stack: Stack, operation_id: str) -> dict[str, Any]:
    """Return an operation."""
    found: dict[str, Any] = stack.api.get(f"/v1/operations/{operation_id}").json()
    return found


def ended(stack: Stack, operation_id: str) -> dict[str, Any]:
    """The operation, once it has ended."""

    def look() -> dict[str, Any] | None:
        found = operation(stack, operation_id)
        return found if found["status"] != "running" else None

    return wait_until(look, seconds=90, what=lambda: operation(stack, operation_id))


def test_jobs_are_created_paused_resumed_and_cancelled_together(
    stack: Stack, recorder: Recorder
) -> None:
    """By their tag; each change is of every one of them, and is counted."""
    tag = {"batch": "e2e-operations"}
    job = {
        "name": "one of many",
        "schedule": {"kind": "cron", "cron": "0 0 1 1 *"},
        "action": {"type": "webhook", "url": recorder.url("many")},
        "tags": tag,
    }
    created = stack.api.post("/v1/jobs/bulk", json={"jobs": [job] * JOBS}).json()
    paths = [f"/v1/jobs/{item['job']['job_id']}" for item in created["items"]]
    course: list[tuple[object, ...]] = []
    for kind in ("pause", "resume", "cancel"):
        asked = {"kind": kind, "filter": {"tags": tag}}
        done = ended(stack, started(stack, "/v1/operations", asked))
        course.append((kind, done["status"], done["counts"]["matched"], done["counts"]["done"]))
        course += sorted({(kind, stack.api.get(path).json()["status"]) for path in paths})

    assert (created["created"], created["failed"]) == (JOBS, 0)
    assert course == [
        ("pause", "succeeded", JOBS, JOBS),
        ("pause", "paused"),
        ("resume", "succeeded", JOBS, JOBS),
        ("resume", "active"),
        ("cancel", "succeeded", JOBS, JOBS),
        ("cancel", "cancelled"),
    ]


def test_the_past_of_a_job_is_run(stack: Stack, recorder: Recorder) -> None:
    """The preview's instants are run, each once and never again."""
    now = datetime.now(UTC).replace(minute=0, second=0, microsecond=0)
    job = stack.create_job(
        name="filled",
        schedule=hours_until(now, count=4),
        action={"type": "webhook", "url": recorder.url("filled")},
    )
    path = f"/v1/jobs/{job['job_id']}/backfill"
    past = {"from": (now - timedelta(hours=3)).isoformat(), "to": now.isoformat()}
    told = stack.api.post(path, json={**past, "dry_run": True}).json()
    done = ended(stack, started(stack, path, {**past, "max_concurrent": 2}))
    again = stack.api.post(path, json={**past, "dry_run": True}).json()
    runs = stack.runs(job["job_id"])
    ledger = stack.api.get(f"/v1/jobs/{job['job_id']}/ledger", params=past).json()["items"]

    assert (told["instants"], told["new"], again["new"], again["unchanged"]) == (4, 4, 0, 4)
    assert (done["status"], done["counts"]["done"]) == ("succeeded", 4)
    assert {(run["state"], run["operation_id"]) for run in runs} == {
        ("succeeded", done["operation_id"])
    }
    assert [entry["kind"] for entry in ledger] == ["run"] * 4
    assert len({request.run_id for request in recorder.requests("filled")}) == 4
    assert stack.api.delete(f"/v1/jobs/{job['job_id']}").status_code == 200
