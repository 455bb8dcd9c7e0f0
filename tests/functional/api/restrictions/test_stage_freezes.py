"""Freezes of the whole stage over HTTP: for its administration, and seen by every tenant."""

import pytest

from tests.support.api import SCOPES, Answer, Api, gateway_event
from tests.support.factories import OTHER_TENANT, TENANT

PATH = "/v1/stage/freezes"
SOON = "2026-11-21T09:00:00Z"


def freeze(api: Api, **fields: object) -> Answer:
    return api.send("POST", PATH, {"ends_at": SOON} | fields)


def test_a_freeze_of_the_stage_is_shown_as_it_was_asked_for(api: Api) -> None:
    """Names of tenants are sorted; the tag has its value, or none."""
    answer = freeze(
        api,
        spared_tag={"key": "critical", "value": "yes"},
        spared_tenants=["initech", "acme-bank"],
        thaw="latest",
        reason="Incident 4711",
    )
    freeze_id = answer.body["freeze_id"]

    assert (answer.status, answer.headers["location"]) == (201, f"{PATH}/{freeze_id}")
    assert answer.body == {
        "freeze_id": freeze_id,
        "state": "active",
        "scope": {"kind": "stage", "spared_tag": {"key": "critical", "value": "yes"}},
        "starts_at": "2026-11-21T07:00:00.000Z",
        "ends_at": "2026-11-21T09:00:00.000Z",
        "thaw": "latest",
        "reason": "Incident 4711",
        "created_at": "2026-11-21T07:00:00.000Z",
        "lifted_at": None,
        "by_stage": False,
        "spared_tenants": ["acme-bank", "initech"],
    }
    assert api.send("GET", f"{PATH}/{freeze_id}").body == answer.body
    assert api.send("GET", f"{PATH}?unended=true").body["items"] == [answer.body]


def test_a_tenant_sees_it_and_cannot_lift_it(api: Api) -> None:
    """In its list and its overview, by the stage, without the names of other tenants."""
    freeze_id = freeze(api, spared_tenants=["initech"], reason="Incident").body["freeze_id"]
    (listed,) = api.send("GET", "/v1/freezes").body["items"]
    (unended,) = api.send("GET", "/v1/freezes?unended=true").body["items"]
    (shown,) = api.send("GET", "/v1/overview").body["freezes"]
    read = api.send("GET", f"/v1/freezes/{freeze_id}").body
    refused = api.send("DELETE", f"/v1/freezes/{freeze_id}")

    assert listed == unended == shown == read
    assert (read["by_stage"], read["reason"]) == (True, "Incident")
    assert read["scope"] == {"kind": "stage", "spared_tag": None}
    assert "spared_tenants" not in read
    assert (refused.status, refused.code) == (409, "freeze_of_stage")


def test_tenants_go_on_changing_what_they_have(api: Api) -> None:
    """They are frozen, and not suspended."""
    freeze(api)

    assert api.create()["status"] == "active"
    assert api.create(tenant=OTHER_TENANT)["status"] == "active"
    own = api.send("POST", "/v1/freezes", {"scope": {"kind": "tenant"}, "ends_at": SOON})
    assert own.status == 201


def test_a_freeze_of_the_stage_is_lifted_by_its_administration(api: Api) -> None:
    """Every tenant goes on; lifting it again changes nothing."""
    freeze_id = freeze(api).body["freeze_id"]
    api.world.clock.advance(60)
    lifted = api.send("DELETE", f"{PATH}/{freeze_id}")
    api.world.clock.advance(60)
    again = api.send("DELETE", f"{PATH}/{freeze_id}")

    assert (lifted.status, lifted.body["state"]) == (200, "lifted")
    assert again.body == lifted.body
    assert api.send("GET", "/v1/freezes?unended=true").body["items"] == []


def test_the_same_request_gives_the_same_freeze(api: Api) -> None:
    """With its key also later; another body under that key is refused."""
    first = api.send("POST", PATH, {"ends_at": SOON}, Idempotency_Key="k")
    api.world.clock.advance(60)
    again = api.send("POST", PATH, {"ends_at": SOON}, Idempotency_Key="k")
    other = api.send("POST", PATH, {"ends_at": SOON, "thaw": "all"}, Idempotency_Key="k")

    assert (again.status, again.body["freeze_id"]) == (200, first.body["freeze_id"])
    assert (other.status, other.code) == (409, "idempotency_conflict")


def test_freezes_that_spare_others_are_others(api: Api) -> None:
    """The span is the same, and each has an id."""
    ids = {freeze(api, spared_tenants=each).body["freeze_id"] for each in ([], ["a"], ["a", "b"])}

    assert len(ids) == 3


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_tenant_does_not_freeze_the_stage(api: Api, method: str) -> None:
    """Its token has no such scope."""
    claims = {"client_id": TENANT, "scope": SCOPES}

    assert api.deliver(gateway_event(method, PATH, claims=claims)).status == 403


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"ends_at": "2026-11-21T06:00:00Z"}, "ends_at", "range_reversed"),
        ({"ends_at": "2028-11-21T06:00:00Z"}, "ends_at", "range_too_long"),
        ({"spared_tenants": ["-x"]}, "spared_tenants.0", "invalid_format"),
        ({"spared_tenants": [f"t{n}" for n in range(21)]}, "spared_tenants", "too_long"),
        ({"spared_tag": {"key": ""}}, "spared_tag.key", "too_short"),
        ({"scope": {"kind": "tenant"}}, "scope", "unknown_field"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(
    api: Api, fields: dict[str, object], field: str, code: str
) -> None:
    """By its field; nothing is frozen."""
    answer = freeze(api, **fields)

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert api.send("GET", PATH).body["items"] == []


def test_no_tenant_asks_for_a_scope_of_the_stage(api: Api) -> None:
    """That kind is the administration's."""
    body = {"scope": {"kind": "stage", "spared_tag": None}, "ends_at": SOON}

    assert api.send("POST", "/v1/freezes", body).status == 400


def test_the_trail_of_the_stage_says_who_froze_it(api: Api) -> None:
    """A tenant's own trail has nothing of it."""
    freeze_id = freeze(api, reason="Incident").body["freeze_id"]
    api.world.clock.advance(60)
    api.send("DELETE", f"{PATH}/{freeze_id}")
    lifted, made = api.send("GET", "/v1/stage/audit").body["items"]

    assert (made["operation"], lifted["operation"]) == ("createStageFreeze", "liftStageFreeze")
    assert made["resource"] == lifted["resource"] == {"kind": "freeze", "id": freeze_id}
    assert made["actor"]["subject"] == lifted["actor"]["subject"] != ""
    assert api.send("GET", "/v1/audit").body["items"] == []
