"""Triggers with data on the deployed stack: what the target is given, and what a key prevents."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from infra.local.webhook_target import Recorder
from tests.e2e.runs.test_overlap import wait_for_state
from tests.support.deployed.stack import Stack

OWN = {"page": 1, "state": "open"}


def triggered(stack: Stack, job_id: str, body: object = None, **headers: str) -> httpx.Response:
    """Ask for a run."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return stack.api.post(f"/v1/jobs/{job_id}/trigger", json=body, headers=named)


def job_with_payload(stack: Stack, recorder: Recorder, name: str) -> str:
    """A job that runs when it is asked to."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "manual"},
        action={"type": "webhook", "url": recorder.url(name)},
        payload=OWN,
    )
    return str(job["job_id"])


def test_a_target_is_given_the_payload_of_the_trigger(stack: Stack, recorder: Recorder) -> None:
    """Merged, or large and from where it lies; in its queue, and later if that was asked for."""
    job_id = job_with_payload(stack, recorder, "with-data")
    large = {"text": "x" * 40_000}
    bodies: list[dict[str, Any]] = [
        {"payload_patch": {"page": 2}, "priority": "high", "tags": {"team": "a"}},
        {"payload": large, "delay_seconds": 2},
    ]
    answers = [triggered(stack, job_id, body) for body in bodies]
    assert [answer.status_code for answer in answers] == [202, 202], answers[0].text
    ended = [wait_for_state(stack, each.json()["run_id"], "succeeded") for each in answers]
    given = [request.body for request in recorder.requests("with-data")]

    assert sorted(given, key=len) == [large, {**OWN, "page": 2}]
    assert (ended[0]["priority"], ended[0]["tags"]) == ("high", {"team": "a"})
    assert [run["payload"] for run in ended] == [{**OWN, "page": 2}, large]
    # None of its runs is the last one.
    assert stack.api.get(f"/v1/jobs/{job_id}").json()["status"] == "active"


def test_triggers_under_one_key_are_one_run(stack: Stack, recorder: Recorder) -> None:
    """Also where they arrive at once."""
    job_id = job_with_payload(stack, recorder, "with-key")

    def ask(_: int) -> httpx.Response:
        return triggered(stack, job_id, {"payload": {"page": 3}}, Idempotency_Key="one")

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, range(4)))
    runs = {answer.json()["run_id"] for answer in answers}
    wait_for_state(stack, next(iter(runs)), "succeeded")

    assert len(runs) == 1
    assert {answer.status_code for answer in answers} <= {200, 202}
    assert [request.body for request in recorder.requests("with-key")] == [{"page": 3}]
    conflict = triggered(stack, job_id, {"payload": {"page": 4}}, Idempotency_Key="one")
    assert (conflict.status_code, conflict.json()["code"]) == (409, "idempotency_conflict")
