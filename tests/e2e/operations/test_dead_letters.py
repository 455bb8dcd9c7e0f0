"""Dead letters on the deployed stack: given up, found, corrected, tried again, let rest."""

from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until


def give_up(stack: Stack, recorder: Recorder, name: str, count: int = 1) -> tuple[str, list[str]]:
    """A job whose target refuses every call, and its runs that were given up."""
    recorder.answer(name, *[503] * count)
    job = stack.create_job(
        name=name,
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url(name)},
        payload={"to": "bob"},
        retry={"max_attempts": 1},
    )
    for _ in range(count - 1):
        stack.api.post(f"/v1/jobs/{job['job_id']}/trigger").raise_for_status()
    wait_until(
        lambda: len(listed(stack, job["job_id"])) == count or None,
        seconds=60,
        what=lambda: stack.runs(job["job_id"]),
    )
    return str(job["job_id"]), listed(stack, job["job_id"])


def listed(stack: Stack, job_id: str, **query: str) -> list[str]:
    """The dead letters of a job, newest first."""
    answer = stack.api.get("/v1/dead-letters", params={"job_id": job_id, **query})
    return [row["run_id"] for row in answer.raise_for_status().json()["items"]]


def settle(stack: Stack, verb: str, body: dict[str, Any]) -> dict[str, Any]:
    """An operation, once it has ended."""
    path = f"/v1/dead-letters/{verb}"
    started = stack.api.post(path, json=body).raise_for_status().headers["location"]

    def ended() -> dict[str, Any] | None:
        operation: dict[str, Any] = stack.api.get(started).json()
        return operation if operation["ended_at"] else None

    return wait_until(ended, seconds=60, what=lambda: stack.api.get(started).json())


def test_a_run_that_was_given_up_is_corrected_and_succeeds(
    stack: Stack, recorder: Recorder
) -> None:
    """Found by what it has in common with others, shown with what ran, redriven once."""
    job_id, (run_id,) = give_up(stack, recorder, "refused")
    stack.api.patch(f"/v1/jobs/{job_id}", json={"timeout_seconds": 20}).raise_for_status()
    path = f"/v1/dead-letters/{run_id}"
    letter = stack.api.get(path).json()
    found = listed(stack, job_id, reason="retries_exhausted", error_code="http_503")
    others = stack.other_api.get(path)
    redriven = stack.api.post(f"{path}/redrive", json={"payload": {"to": "ann"}, "note": "typo"})
    again = stack.api.post(f"{path}/redrive")
    run = wait_until(lambda: _ended(stack, run_id), seconds=60, what=lambda: stack.runs(job_id))
    first, second = recorder.requests("refused")

    assert (found, others.status_code) == ([run_id], 404)
    assert (letter["job"]["timeout_seconds"], letter["payload"]) == (30, {"to": "bob"})
    assert letter["attempts"][0]["error"]["code"] == "http_503"
    assert (redriven.status_code, again.status_code) == (202, 409)
    assert (run["state"], len(run["attempts"])) == ("succeeded", 2)
    assert run["attempts"][0]["resolution"]["note"] == "typo"
    assert [each.body for each in (first, second)] == [{"to": "bob"}, {"to": "ann"}]
    assert first.fence < second.fence
    assert listed(stack, job_id) == []


def test_many_are_redriven_and_others_discarded(stack: Stack, recorder: Recorder) -> None:
    """By a filter, with progress; a large payload goes by reference."""
    job_id, run_ids = give_up(stack, recorder, "outage", 3)
    discarded = settle(stack, "discard", {"filter": {"run_ids": run_ids[:1]}, "note": "obsolete"})
    large = {"text": "x" * 3000}
    redriven = settle(stack, "redrive", {"filter": {"job_id": job_id}, "payload": large})
    runs = wait_until(
        lambda: _all_but_one(stack, job_id), seconds=60, what=lambda: stack.runs(job_id)
    )

    assert (discarded["status"], discarded["counts"]["done"]) == ("succeeded", 1)
    assert (redriven["status"], redriven["counts"]["done"]) == ("succeeded", 2)
    assert sorted(run["state"] for run in runs) == ["dead_lettered", "succeeded", "succeeded"]
    assert [each.body for each in recorder.requests("outage")[3:]] == [large] * 2
    assert listed(stack, job_id) == []


def test_a_permanent_failure_is_found_across_jobs_and_tried_again(
    stack: Stack, recorder: Recorder
) -> None:
    """No dead letter names it; the index of failures does, until it is redriven."""
    recorder.answer("moved-away", 404)
    job = stack.create_job(
        name="report of the moved",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("moved-away")},
    )

    def failures(**query: str) -> list[dict[str, Any]]:
        answer = stack.api.get("/v1/runs", params={"name": "report of*", **query})
        rows: list[dict[str, Any]] = answer.raise_for_status().json()["items"]
        return rows

    wait_until(lambda: failures() or None, seconds=60, what=lambda: stack.runs(job["job_id"]))
    (row,) = failures(state="failed", error_code="http_404")
    letters = listed(stack, job["job_id"])
    redriven = stack.api.post(f"/v1/runs/{row['run_id']}/redrive", json={"note": "it is back"})
    run = wait_until(
        lambda: _ended(stack, row["run_id"]), seconds=60, what=lambda: stack.runs(job["job_id"])
    )

    assert (row["job_name"], row["reason"]) == ("report of the moved", "permanent")
    assert letters == []
    assert redriven.status_code == 202
    assert (run["state"], len(run["attempts"])) == ("succeeded", 2)
    assert failures() == []
    assert stack.other_api.get("/v1/runs").json()["items"] == []


def _ended(stack: Stack, run_id: str) -> dict[str, Any] | None:
    run: dict[str, Any] = stack.api.get(f"/v1/runs/{run_id}").json()
    return run if run["state"] == "succeeded" else None


def _all_but_one(stack: Stack, job_id: str) -> list[dict[str, Any]] | None:
    runs = stack.runs(job_id)
    return runs if sum(run["state"] == "succeeded" for run in runs) == len(runs) - 1 else None
