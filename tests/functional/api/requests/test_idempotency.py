"""``Idempotency-Key``: a request that is repeated creates nothing twice."""

import json

import pytest

from tests.support.api import SCOPES, Api, gateway_event, new_job
from tests.support.factories import OTHER_TENANT
from timegate.domain.values.identity import job_id_for_key
from timegate.domain.values.tenant import TenantId

KEY = "nightly-report-2026"


def test_a_repeated_request_gives_the_same_job(api: Api) -> None:
    """200 and a header instead of 201; one job is stored, with one run.

    Its message is sent again: nothing on record says that the first one arrived.
    """
    job = new_job(schedule={"kind": "immediate"})
    first = api.send("POST", "/v1/jobs", job, Idempotency_Key=KEY)
    api.world.clock.advance(3600)
    second = api.send("POST", "/v1/jobs", job, Idempotency_Key=KEY)

    assert (first.status, second.status) == (201, 200)
    assert first.headers.get("idempotency-replayed") is None
    assert second.headers["idempotency-replayed"] == "true"
    assert second.body == first.body
    assert second.headers["location"] == first.headers["location"]
    assert len(api.world.tables.jobs) == 1
    assert len({sent.message.attempt for sent in api.world.publisher.sent}) == 1


def test_the_id_follows_from_the_key(api: Api) -> None:
    """A caller that knows the key finds the job without having seen the answer."""
    answer = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)

    assert answer.body["job_id"] == job_id_for_key(TenantId("acme"), KEY)


def test_white_space_and_the_order_of_fields_do_not_make_another_request(api: Api) -> None:
    """Clients may write the same JSON differently."""
    first = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)
    api.world.clock.advance(1)
    rewritten = json.dumps(dict(reversed(new_job().items())), indent=4)
    event = gateway_event(
        "POST",
        "/v1/jobs",
        body=rewritten,
        headers={"idempotency-key": KEY},
        claims={"client_id": "acme", "scope": SCOPES},
    )
    second = api.deliver(event)

    assert (second.status, second.body) == (200, first.body)


def test_a_key_used_with_another_body_is_a_conflict(api: Api) -> None:
    """409, and the job stays as it was first asked for."""
    first = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)
    second = api.send("POST", "/v1/jobs", new_job(name="other"), Idempotency_Key=KEY)
    stored = api.send("GET", f"/v1/jobs/{first.body['job_id']}")

    assert (second.status, second.code) == (409, "idempotency_conflict")
    assert stored.body == first.body


def test_a_replay_is_answered_although_its_instant_has_passed(api: Api) -> None:
    """The first answer stays, although its request is no longer valid."""
    job = new_job(schedule={"kind": "at", "at": "2026-11-21T07:01:00Z"})
    first = api.send("POST", "/v1/jobs", job, Idempotency_Key=KEY)
    api.world.clock.advance(3600)
    second = api.send("POST", "/v1/jobs", job, Idempotency_Key=KEY)
    other = api.send("POST", "/v1/jobs", job, Idempotency_Key="another")

    assert first.body["next_run_at"] == "2026-11-21T07:01:00.000Z"
    assert (second.status, second.body) == (200, first.body | {"next_run_at": None})
    assert (other.status, other.fields) == (400, [("schedule.at", "in_the_past")])


def test_a_replay_shows_the_job_as_it_is_now(api: Api) -> None:
    """A job that was cancelled meanwhile does not come back to life."""
    first = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)
    api.send("DELETE", f"/v1/jobs/{first.body['job_id']}")
    api.world.clock.advance(60)
    second = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)

    assert (second.status, second.body["status"]) == (200, "cancelled")
    assert second.body["next_run_at"] is None


def test_a_key_belongs_to_its_tenant(api: Api) -> None:
    """Two tenants with one key and different bodies have two jobs."""
    first = api.send("POST", "/v1/jobs", new_job(), Idempotency_Key=KEY)
    job = new_job(name="other")
    second = api.send("POST", "/v1/jobs", job, tenant=OTHER_TENANT, Idempotency_Key=KEY)

    assert (first.status, second.status) == (201, 201)
    assert first.body["job_id"] != second.body["job_id"]


def test_without_a_key_each_request_is_a_job(api: Api) -> None:
    """Equal jobs are allowed."""
    assert api.create()["job_id"] != api.create()["job_id"]


@pytest.mark.parametrize("path", ["jobs/{job_id}/trigger", "tenants/acme/keys"])
@pytest.mark.parametrize(("first", "second"), [(None, {}), ({}, None)])
def test_no_body_and_an_empty_object_are_one_request(
    api: Api, path: str, first: object, second: object
) -> None:
    """A client in the middle writes one for the other; both leave each field to its default."""
    job_id = api.send("POST", "/v1/jobs", new_job()).body["job_id"]
    where = f"/v1/{path.format(job_id=job_id)}"
    api.send("PUT", "/v1/tenants/acme", {})
    made = api.send("POST", where, first, Idempotency_Key=KEY)
    again = api.send("POST", where, second, Idempotency_Key=KEY)

    assert made.status in {201, 202}
    assert (again.status, again.headers.get("idempotency-replayed")) == (200, "true")
