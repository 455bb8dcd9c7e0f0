"""A caller sees that Timegate has a fault, and no more of it."""

import pytest

from tests.support.api import REQUEST_ID, Api, new_job
from tests.support.factories import TENANT
from timegate.domain.values.errors import JobChanged, Malformed, Throttled

SECRET = "table arn:aws:dynamodb:eu-west-1:111122223333:table/jobs is on fire"


def breaking(error: Exception) -> object:
    """A store call that raises."""

    def call(*_: object, **__: object) -> None:
        raise error

    return call


@pytest.mark.parametrize(
    "error", [RuntimeError(SECRET), KeyError(SECRET), Malformed(SECRET)], ids=type
)
def test_a_fault_of_ours_is_logged_in_full_and_told_in_one_sentence(
    api: Api, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """500 with the request id, by which the log line is found."""
    monkeypatch.setattr(api.world.jobs, "get", breaking(error))
    answer = api.send("GET", f"/v1/jobs/{'a' * 26}")
    (event,) = api.world.telemetry.named("request_failed")

    assert answer.status == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.body == {
        "type": "urn:timegate:problem:internal_error",
        "title": "Internal Server Error",
        "status": 500,
        "code": "internal_error",
        "detail": "Something broke on our side. The request id helps us find it.",
        "errors": [],
        "instance": f"urn:timegate:request:{REQUEST_ID}",
        "request_id": REQUEST_ID,
    }
    assert SECRET in str(event.fields["trace"])
    assert event.fields["tenant_id"] == "acme"


@pytest.mark.parametrize("path", ["", "/ledger?from=2026-11-21T07:00:00Z&to=2026-11-21T08:00:00Z"])
def test_a_damaged_job_is_said_to_be_one(api: Api, path: str) -> None:
    """500 with a code of its own: neither missing nor the caller's mistake; what it is, is ours."""
    job_id = api.create()["job_id"]
    api.world.tables.damaged.add((TENANT, job_id))
    answer = api.send("GET", f"/v1/jobs/{job_id}{path}")

    assert (answer.status, answer.code) == (500, "job_damaged")
    assert answer.body["detail"] == (
        f"The record of job {job_id} cannot be read; operators must repair it."
    )
    assert "JobDamaged" in str(api.world.telemetry.named("request_failed")[0].fields["trace"])


def test_a_listing_shows_the_others_and_names_the_damaged(api: Api) -> None:
    """The filter does not hide a damaged job; each listing reports it to operators."""
    jobs = []
    for number in range(3):
        jobs.append(api.create(name=f"job {number}")["job_id"])
        api.world.clock.advance(1)
    api.world.tables.damaged.add((TENANT, jobs[1]))
    listed = api.send("GET", "/v1/jobs?priority=normal").body
    api.send("GET", f"/v1/jobs/{jobs[1]}")

    assert [job["job_id"] for job in listed["items"]] == [jobs[2], jobs[0]]
    assert listed["damaged"] == {"count": 1, "job_ids": [jobs[1]]}
    assert [event.fields["job_id"] for event in api.world.telemetry.named("job_damaged")] == [
        jobs[1],
        jobs[1],
    ]
    assert api.world.telemetry.counts["RecordsUnreadable"] == 2


def test_a_fault_does_not_spoil_the_next_request(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment is warm, and what broke may have been one job."""
    created = api.create()
    with monkeypatch.context() as patch:
        patch.setattr(api.world.jobs, "get", breaking(RuntimeError(SECRET)))
        api.send("GET", f"/v1/jobs/{created['job_id']}")

    assert api.send("GET", f"/v1/jobs/{created['job_id']}").body == created


def test_a_throttled_table_asks_callers_to_come_back(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After; which table it was is no caller's business."""
    monkeypatch.setattr(api.world.runs, "create_job", breaking(Throttled(SECRET)))
    answer = api.send("POST", "/v1/jobs", new_job())

    assert (answer.status, answer.code) == (503, "throttled")
    assert answer.headers["retry-after"] == "1"
    assert SECRET not in str(answer.body)


def test_a_change_that_lost_every_race_is_a_conflict(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """409: the caller reads again and decides."""
    job_id = api.create()["job_id"]
    monkeypatch.setattr(api.world.jobs, "update", breaking(JobChanged(job_id)))
    answer = api.send("PATCH", f"/v1/jobs/{job_id}", {"name": "x"})

    assert (answer.status, answer.code) == (409, "job_changed")


def test_a_run_that_keeps_changing_is_a_conflict(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """409, after as many tries as are worth it."""
    job_id = api.create()["job_id"]
    run_id = api.send("POST", f"/v1/jobs/{job_id}/trigger").body["run_id"]
    monkeypatch.setattr(api.world.runs, "replace", lambda *_: False)
    answer = api.send("POST", f"/v1/runs/{run_id}/cancel")

    assert (answer.status, answer.code) == (409, "conflict")


def test_a_queue_that_refuses_loses_no_job(api: Api) -> None:
    """The run is stored; the sweeper publishes what no worker claimed."""
    api.world.publisher.refusing.add("normal-short")
    created = api.create(schedule={"kind": "immediate"})

    assert len(api.world.attempts()) == 1
    assert api.world.attempts()[0].watch_at is not None
    assert created["status"] == "active"
