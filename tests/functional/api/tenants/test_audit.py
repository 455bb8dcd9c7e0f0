"""The audit trail through the API: who, what, when, before and after."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT, TENANT


def trail(api: Api, query: str = "", **options: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """The entries of a page, latest first."""
    items: list[dict[str, Any]] = api.send("GET", f"/v1/audit?limit=100{query}", **options).body[
        "items"
    ]
    return items


def test_each_change_of_a_job_is_told_once(api: Api) -> None:
    """By its operation, with what was before; what is repeated changes nothing."""
    body = {
        "name": "r",
        "schedule": {"kind": "rate", "every_seconds": 60},
        "action": {"type": "webhook", "url": "https://hooks.example.com/report"},
    }
    for _ in range(2):
        job_id = api.send("POST", "/v1/jobs", body, Idempotency_Key="k").body["job_id"]
    for method, path, sent in (
        ("PATCH", "", {"name": "s"}),
        ("POST", "/pause", None),
        ("POST", "/pause", None),
        ("POST", "/resume", None),
        ("POST", "/trigger", None),
        ("DELETE", "", None),
        ("DELETE", "", None),
    ):
        api.world.clock.advance(1)
        assert api.send(method, f"/v1/jobs/{job_id}{path}", sent).status < 300
    every = trail(api)
    of_job = api.send("GET", f"/v1/jobs/{job_id}/audit").body["items"]

    assert [each["operation"] for each in every] == [
        *("cancelJob", "triggerJob", "resumeJob", "pauseJob", "updateJob", "createJob")
    ]
    assert of_job == [each for each in every if each["resource"]["kind"] == "job"]
    assert [each["version"] for each in of_job] == [5, 4, 3, 2, 1]
    assert of_job[-2]["changes"] == [{"field": "name", "before": "r", "after": "s"}]
    assert of_job[-2]["actor"] == {
        "subject": TENANT,
        "client_id": TENANT,
        "source_ip": "192.0.2.1",
        "of_stage": False,
    }


PUTS: dict[str, dict[str, Any]] = {
    "/v1/calendars/holidays": {"days": [{"first": "2026-12-24"}]},
    "/v1/notification-rules/team": {
        "when": {"failures_in_a_row": 3},
        "channels": [{"type": "webhook", "url": "https://alerts.example.com/timegate"}],
    },
    "/v1/event-triggers/orders": {
        "pattern": {"type": ["order.paid"]},
        "starts": {"type": "job"},
        "hook": {
            "scheme": "standard",
            "secret": {"ssm_parameter": f"/timegate-target/{TENANT}/hook"},
        },
    },
}


@pytest.mark.parametrize("path", PUTS)
def test_what_is_put_again_as_it_is_leaves_no_entry(api: Api, path: str) -> None:
    """Nothing was changed: feeds and pipelines put the same thing each day."""
    body = PUTS[path]
    if "starts" in body:
        body = {**body, "starts": {"type": "job", "job_id": api.create()["job_id"]}}
    for each in (body, body, {**body, "description": "Another."}):
        api.world.clock.advance(1)
        assert api.send("PUT", path, each).status == 200
    told = [each for each in trail(api) if each["operation"].startswith("put")]
    last, first = told

    assert first["version"] == 1
    assert last["changes"] == [{"field": "description", "before": "", "after": "Another."}]


def test_a_bulk_change_is_told_of_each_job_and_of_its_caller(api: Api) -> None:
    """And the operation itself once."""
    ids = {api.create(name=name)["job_id"] for name in ("a", "b")}
    started = api.send(
        "POST", "/v1/operations", {"kind": "pause", "filter": {"status": "active"}}
    ).body
    api.world.operate()
    bulk = [each for each in trail(api) if each["operation"] == "bulk.pause"]

    assert {each["resource"]["id"] for each in bulk} == ids
    assert {each["request_id"] for each in bulk} == {started["operation_id"]}
    assert {each["actor"]["subject"] for each in bulk} == {TENANT}
    assert len(trail(api, f"&resource=operation/{started['operation_id']}")) == 1


def test_what_the_administration_does_is_told_to_the_tenant(api: Api) -> None:
    """Not where it sits; and nothing of it to another tenant."""
    api.send("POST", f"/v1/tenants/{TENANT}/suspend", {"reason": "unpaid"})
    (entry,) = trail(api)

    assert (entry["operation"], entry["resource"]) == (
        "suspendTenant",
        {"kind": "tenant", "id": TENANT},
    )
    assert (entry["actor"]["of_stage"], entry["actor"]["source_ip"]) == (True, None)
    assert entry["changes"][0]["field"] == "suspension"
    assert trail(api, tenant=OTHER_TENANT) == []


def test_a_refused_request_leaves_no_entry(api: Api) -> None:
    """Nothing was changed; and reads change nothing."""
    job_id = api.create()["job_id"]
    api.send("PATCH", f"/v1/jobs/{job_id}", {"name": "s"}, If_Match='"7"')
    api.send("GET", f"/v1/jobs/{job_id}")
    api.world.tick()

    assert [each["operation"] for each in trail(api)] == ["createJob"]


def test_an_unknown_job_has_no_trail(api: Api) -> None:
    """Another tenant's job answers alike."""
    job_id = api.create()["job_id"]
    answers = [
        api.send("GET", f"/v1/jobs/{job_id}/audit", tenant=OTHER_TENANT),
        api.send("GET", f"/v1/audit?resource=job/{job_id}", tenant=OTHER_TENANT),
    ]

    assert [each.status for each in answers] == [404, 404]


def of_tenant(api: Api, tenant: str, query: str = "") -> list[dict[str, Any]]:
    """Return a tenant's trail as the administration reads it."""
    answer = api.send("GET", f"/v1/tenants/{tenant}/audit?limit=100{query}")
    items: list[dict[str, Any]] = answer.body["items"]
    return items


def test_the_administration_reads_each_tenant_s_trail(api: Api) -> None:
    """The tenant reads the same entries; only the administration sees its own source address."""
    job_id = api.create()["job_id"]
    api.create(tenant=OTHER_TENANT)
    api.world.clock.advance(1)
    api.send("POST", f"/v1/tenants/{TENANT}/suspend", {"reason": "unpaid"})
    seen, own = of_tenant(api, TENANT), trail(api)
    of_job = of_tenant(api, TENANT, f"&resource=job/{job_id}")

    assert [each["operation"] for each in seen] == ["suspendTenant", "createJob"]
    assert seen[1] == own[1]
    assert seen[0]["actor"] == {**own[0]["actor"], "source_ip": "192.0.2.1"}
    assert [each["operation"] for each in of_job] == ["createJob"]
    assert len(of_tenant(api, OTHER_TENANT)) == 1
    assert of_tenant(api, "unheard") == []


def test_reading_a_trail_is_no_change(api: Api) -> None:
    """However often it is looked at, it stays what it was."""
    api.create()
    seen = [of_tenant(api, TENANT) for _ in range(2)]

    assert seen[0] == seen[1] == trail(api)


def test_the_trail_of_a_suspended_tenant_is_read(api: Api) -> None:
    """By itself as well: it learns who suspended it, when and why."""
    api.create()
    api.world.clock.advance(1)
    api.send("POST", f"/v1/tenants/{TENANT}/suspend", {"reason": "unpaid"})
    api.world.clock.advance(60)

    assert [each["operation"] for each in trail(api)] == ["suspendTenant", "createJob"]
    assert len(of_tenant(api, TENANT)) == 2


def test_a_cursor_of_one_tenant_s_trail_is_none_of_another_s(api: Api) -> None:
    """Nor does the administration mix them up; its pages go on from its own cursors."""
    for name in ("a", "b", "c"):
        api.create(name=name)
        api.world.clock.advance(1)
    path = f"/v1/tenants/{TENANT}/audit"
    first = api.send("GET", f"{path}?limit=2").body
    rest = api.send("GET", f"{path}?limit=2&cursor={first['next_cursor']}").body
    mixed = api.send(
        "GET", f"/v1/tenants/{OTHER_TENANT}/audit?limit=2&cursor={first['next_cursor']}"
    )

    assert [len(first["items"]), len(rest["items"])] == [2, 1]
    assert (mixed.status, mixed.fields) == (400, [("cursor", "invalid_cursor")])


@pytest.mark.parametrize(
    "path", ["/v1/audit", "/v1/jobs/{job_id}/audit", f"/v1/tenants/{TENANT}/audit"]
)
@pytest.mark.parametrize(
    ("since", "until", "status"),
    [
        ("2026-11-21T07:00:00.000Z", "2026-11-21T07:00:00.000Z", 200),
        ("2026-11-21T07:00:00.001Z", "2026-11-21T07:00:00.000Z", 400),
    ],
)
def test_a_span_does_not_end_before_it_begins(
    api: Api, path: str, since: str, until: str, status: int
) -> None:
    """An instant alone is a span."""
    job_id = api.create()["job_id"]
    answer = api.send("GET", f"{path.format(job_id=job_id)}?since={since}&until={until}")

    assert answer.status == status
    assert status == 200 or answer.fields == [("until", "range_reversed")]


SOON = {"kind": "delay", "delay_seconds": 100}


def test_the_creation_of_a_one_shot_is_told_as_any_other(api: Api) -> None:
    """By its job's record, before and after what becomes of the job."""
    job_id = api.create(schedule=SOON)["job_id"]
    (created,) = trail(api)
    api.world.clock.advance(1)
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    api.world.clock.advance(1)
    api.send("DELETE", f"/v1/jobs/{job_id}")
    every = trail(api)

    assert created["changes"][-1] == {"field": "status", "before": None, "after": "active"}
    assert (created["operation"], created["version"]) == ("createJob", 1)
    assert [each["operation"] for each in every] == ["cancelJob", "pauseJob", "createJob"]
    assert every[-1] == created
    assert api.send("GET", f"/v1/jobs/{job_id}/audit").body["items"] == every


@pytest.mark.parametrize("schedule", [SOON, {"kind": "manual"}], ids=["record", "trail"])
def test_entries_are_listed_for_as_long_as_the_stage_keeps_them(
    api: Api, schedule: dict[str, Any]
) -> None:
    """To the millisecond, also those in records, which stay."""
    job_id = api.create(schedule=schedule)["job_id"]
    api.world.clock.advance(400 * 86_400)

    assert len(trail(api)) == 1
    assert len(trail(api, f"&resource=job/{job_id}")) == 1

    api.world.clock.advance(0.001)

    assert trail(api) == []
    assert trail(api, f"&resource=job/{job_id}&since=2026-01-01T00:00:00Z") == []


@pytest.mark.parametrize("path", ["/v1/audit", f"/v1/tenants/{TENANT}/audit"])
def test_a_job_is_named_by_its_key_as_in_any_filter(api: Api, path: str) -> None:
    """Also for the administration; a key of no job is that of a missing job."""
    job_id = api.create(key="nightly")["job_id"]
    api.create(key="hourly")
    named = api.send("GET", f"{path}?resource=job/key:nightly").body["items"]

    assert [each["resource"]["id"] for each in named] == [job_id]
    assert named == api.send("GET", f"{path}?resource=job/{job_id}").body["items"]
    missing = api.send("GET", f"{path}?resource=job/key:none")
    assert (missing.status, missing.body["code"]) == (404, "job_not_found")


@pytest.mark.parametrize("path", ["/v1/audit?resource=job/{}", "/v1/jobs/{}/audit"])
def test_a_damaged_job_has_its_trail(api: Api, path: str) -> None:
    """It says who changed the job last, and to what."""
    job_id = api.create()["job_id"]
    api.world.clock.advance(1)
    api.send("POST", f"/v1/jobs/{job_id}/pause")
    api.world.tables.damaged.add((TENANT, job_id))
    answer = api.send("GET", path.format(job_id))

    assert answer.status == 200
    assert [each["operation"] for each in answer.body["items"]] == ["pauseJob", "createJob"]
