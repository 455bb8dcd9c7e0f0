"""Keys in payloads that no trigger gave: of follow-ups, redrives and members of a fan-out."""

from typing import Any

import pytest

from tests.functional.api.dag_runs.test_dag_runs import moved
from tests.support.api import Api
from tests.support.pools.worker_requests import ACTION, BROKE, claim, say

OVERLAP = {"policy": "queue", "key_from": "/customer"}
MANUAL: dict[str, Any] = {"schedule": {"kind": "manual"}, "action": ACTION}
LARGE = "x" * 2000


def held(api: Api) -> list[str]:
    """The customers of the runs that are claimed now."""
    return sorted(run["payload"]["customer"] for run in claim(api, max=9))


def trigger(api: Api, job_id: Any, customer: str, more: str = "") -> None:  # noqa: ANN401
    """Ask for a run for a customer."""
    sent = {"payload": {"customer": customer, "more": more}}
    assert api.send("POST", f"/v1/jobs/{job_id}/trigger", sent).status == 202


@pytest.mark.parametrize("more", ["", LARGE])
def test_a_follow_up_has_the_key_of_the_payload_that_it_takes_over(api: Api, more: str) -> None:
    """Each of the two waits for no run of another key."""
    second = api.create(**MANUAL, overlap=OVERLAP)["job_id"]
    then = [{"job_id": second, "on": ["succeeded"], "payload": "parent"}]
    first = api.create(**MANUAL, overlap=OVERLAP, then=then)["job_id"]
    for customer in "ab":
        trigger(api, first, customer, more)
    for run in claim(api, max=9):
        say(api, "complete", run)
    api.world.settle()
    trigger(api, second, "a", more)

    assert held(api) == ["a", "b"]


@pytest.mark.parametrize("more", ["", LARGE])
def test_a_corrected_payload_has_its_own_key(api: Api, more: str) -> None:
    """A redriven run waits for runs of the key that it has now."""
    job_id = api.create(**MANUAL, overlap=OVERLAP, retry={"max_attempts": 1})["job_id"]
    trigger(api, job_id, "a", more)
    (run,) = claim(api)
    say(api, "fail", run, error=BROKE)
    trigger(api, job_id, "b", more)
    assert held(api) == ["b"]
    corrected = {"payload": {"customer": "b", "more": more}}
    answer = api.send("POST", f"/v1/dead-letters/{run['run_id']}/redrive", corrected)

    assert answer.status == 202
    assert held(api) == []


@pytest.mark.parametrize("more", ["", LARGE])
def test_each_member_of_a_fan_out_has_the_key_of_its_element(api: Api, more: str) -> None:
    """Members of one customer take turns."""
    work = {"action": ACTION, "overlap": {**OVERLAP, "concurrency_key": "crm"}}
    task = {"key": "sync", "job": work, "fan_out": {"over": "parameters.parts", "max_width": 9}}
    dag_id = api.send("POST", "/v1/dags", {"name": "all", "tasks": [task], "edges": []}).body[
        "dag_id"
    ]
    parts = [{"customer": customer, "more": more} for customer in "aab"]
    run = api.send("POST", f"/v1/dags/{dag_id}/runs", {"parameters": {"parts": parts}}).body
    moved(api, run["dag_run_id"])

    assert held(api) == ["a", "b"]


def test_a_task_that_names_a_job_has_its_key(api: Api) -> None:
    """Its run waits for one of the job's own."""
    job_id = api.create(**MANUAL, overlap=OVERLAP)["job_id"]
    task = {"key": "sync", "job_id": job_id, "input": {"customer": {"$ref": "parameters.of"}}}
    dag_id = api.send("POST", "/v1/dags", {"name": "one", "tasks": [task], "edges": []}).body[
        "dag_id"
    ]
    for customer in "ab":
        path = f"/v1/dags/{dag_id}/runs"
        run = api.send("POST", path, {"parameters": {"of": customer}}).body
        moved(api, run["dag_run_id"])
    trigger(api, job_id, "a")

    assert held(api) == ["a", "b"]


def test_a_cancelled_run_of_a_task_gives_the_slot_back_that_its_slices_kept(api: Api) -> None:
    """The next run of the key has it at once, not when a lease would have ended."""
    work = {
        "action": ACTION,
        "overlap": {**OVERLAP, "concurrency_key": "crm"},
        "long_run": {"max_duration_seconds": 9000},
    }
    task = {"key": "sync", "job": {**work, "payload": {"customer": "a"}}}
    dag_id = api.send("POST", "/v1/dags", {"name": "long", "tasks": [task], "edges": []}).body[
        "dag_id"
    ]
    run = api.send("POST", f"/v1/dags/{dag_id}/runs", {}).body
    moved(api, run["dag_run_id"])
    (first,) = claim(api)
    say(api, "continue", first, checkpoint={"rows": 1}, delay_seconds=30)
    job_id = api.create(**MANUAL, overlap={**OVERLAP, "concurrency_key": "crm"})["job_id"]
    trigger(api, job_id, "a")
    before = held(api)
    answer = api.send("POST", f"/v1/runs/{first['run_id']}/cancel")

    assert (before, answer.status) == ([], 200)
    assert held(api) == ["a"]
