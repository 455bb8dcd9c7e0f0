"""Freezes through the API: created once, listed, lifted."""

import pytest

from tests.support.api import Answer, Api
from tests.support.factories import JOB_ID, OTHER_TENANT, TENANT
from timegate.domain.restrictions.freeze import MAX_FREEZES

EVERYTHING = {"kind": "tenant"}
SOON = "2026-11-21T09:00:00Z"


def freeze(api: Api, **fields: object) -> Answer:
    body: dict[str, object] = {"scope": EVERYTHING, "ends_at": SOON}
    return api.send("POST", "/v1/freezes", body | fields)


def test_a_freeze_is_shown_as_it_was_asked_for(api: Api) -> None:
    """From now on, unless said otherwise; a job's own policy decides how it thaws."""
    answer = freeze(api, reason="Migration")
    freeze_id = answer.body["freeze_id"]
    read = api.send("GET", f"/v1/freezes/{freeze_id}")

    assert (answer.status, answer.headers["location"]) == (201, f"/v1/freezes/{freeze_id}")
    assert (
        answer.body
        == read.body
        == {
            "freeze_id": freeze_id,
            "state": "active",
            "scope": {"kind": "tenant"},
            "starts_at": "2026-11-21T07:00:00.000Z",
            "ends_at": "2026-11-21T09:00:00.000Z",
            "thaw": "job",
            "reason": "Migration",
            "created_at": "2026-11-21T07:00:00.000Z",
            "lifted_at": None,
            "by_stage": False,
        }
    )


@pytest.mark.parametrize(
    "scope",
    [
        {"kind": "tag", "key": "team", "value": "a=b"},
        {"kind": "tag", "key": "team", "value": None},
        {"kind": "tag", "key": "team", "value": ""},
    ],
    ids=str,
)
def test_a_tag_is_frozen_with_its_value_or_whatever_it_is(
    api: Api, scope: dict[str, object]
) -> None:
    """A value may have an equals sign, or be empty."""
    assert freeze(api, scope=scope).body["scope"] == scope


def test_a_job_is_frozen_by_its_id(api: Api) -> None:
    """It has to exist: a freeze of nothing would be believed to hold something back."""
    job_id = api.create()["job_id"]
    mine = freeze(api, scope={"kind": "job", "job_id": job_id})
    unknown = freeze(api, scope={"kind": "job", "job_id": JOB_ID})

    assert mine.body["scope"] == {"kind": "job", "job_id": job_id}
    assert (unknown.status, unknown.fields) == (400, [("scope.job_id", "unknown_job")])


def test_asking_again_for_the_same_freeze_gives_that_one(api: Api) -> None:
    """A request can be repeated; even after the freeze has begun."""
    said = {"starts_at": "2026-11-21T07:30:00Z", "reason": "first"}
    first = freeze(api, **said)
    api.world.clock.advance(60)
    second = freeze(api, **said | {"reason": "second"})
    api.world.clock.advance(3600)
    third = freeze(api, **said)

    assert (first.status, second.status, third.status) == (201, 200, 200)
    assert first.body == second.body == third.body | {"state": "scheduled"}
    assert third.body["state"] == "active"
    assert len(api.send("GET", "/v1/freezes").body["items"]) == 1


def test_a_repeated_request_freezes_once(api: Api) -> None:
    """Its start is the instant of the first request, also once it was lifted or has ended."""
    asked = {"Idempotency_Key": "migration"}
    body = {"scope": EVERYTHING, "ends_at": SOON}
    first = api.send("POST", "/v1/freezes", body, **asked)
    api.world.clock.advance(60)
    second = api.send("POST", "/v1/freezes", body, **asked)
    path = f"/v1/freezes/{first.body['freeze_id']}"
    lifted = api.send("DELETE", path).body
    third = api.send("POST", "/v1/freezes", body, **asked)
    api.world.clock.advance(86_400)
    late = api.send("POST", "/v1/freezes", body, **asked)

    assert (first.status, "idempotency-replayed" in first.headers) == (201, False)
    assert (second.status, second.body) == (200, first.body)
    assert (third.status, third.body) == (late.status, late.body) == (200, lifted)
    assert third.headers["idempotency-replayed"] == late.headers["idempotency-replayed"] == "true"
    assert len(api.send("GET", "/v1/freezes").body["items"]) == 1


def test_a_key_of_another_freeze_is_refused(api: Api) -> None:
    """Its holder meant the first one; another key, and another tenant's, make another freeze."""
    body = {"scope": EVERYTHING, "ends_at": SOON}
    api.send("POST", "/v1/freezes", body, Idempotency_Key="a")
    api.world.clock.advance(1)
    other = api.send("POST", "/v1/freezes", body | {"reason": "other"}, Idempotency_Key="a")
    made = [
        api.send("POST", "/v1/freezes", body, tenant=tenant, Idempotency_Key=key)
        for tenant, key in ((TENANT, "b"), (OTHER_TENANT, "a"))
    ]

    assert (other.status, other.code) == (409, "idempotency_conflict")
    assert [each.status for each in made] == [201, 201]


@pytest.mark.parametrize("seconds", [60, 3600])
def test_a_key_of_another_request_is_refused_before_and_after_the_start(
    api: Api, seconds: float
) -> None:
    """Two requests that name the same span differ in their reason; the first one is met."""
    body = {"scope": EVERYTHING, "starts_at": "2026-11-21T07:30:00Z", "ends_at": SOON}
    api.send("POST", "/v1/freezes", body, Idempotency_Key="a")
    api.world.clock.advance(seconds)
    again = api.send("POST", "/v1/freezes", body, Idempotency_Key="a")
    other = api.send("POST", "/v1/freezes", body | {"reason": "other"}, Idempotency_Key="a")

    assert again.status == 200
    assert (other.status, other.code) == (409, "idempotency_conflict")


def test_a_freeze_has_states(api: Api) -> None:
    """Its end is no longer part of it."""
    freeze_id = freeze(api, starts_at="2026-11-21T07:00:10Z").body["freeze_id"]
    states = []
    for seconds in (0, 9.999, 0.001, 7189.999, 0.001):
        api.world.clock.advance(seconds)
        states.append(api.send("GET", f"/v1/freezes/{freeze_id}").body["state"])

    assert states == ["scheduled", "scheduled", "active", "active", "ended"]


def test_a_lifted_freeze_has_ended(api: Api) -> None:
    """And lifting it again, or after its end, changes nothing."""
    path = f"/v1/freezes/{freeze(api).body['freeze_id']}"
    api.world.clock.advance(60)
    lifted = api.send("DELETE", path)
    api.world.clock.advance(60)
    again = api.send("DELETE", path)

    assert (lifted.body["state"], lifted.body["lifted_at"]) == (
        "lifted",
        "2026-11-21T07:01:00.000Z",
    )
    assert again.body == lifted.body == api.send("GET", path).body


def test_a_freeze_can_be_lifted_before_it_begins(api: Api) -> None:
    """Then it never was; lifting it again changes nothing."""
    path = f"/v1/freezes/{freeze(api, starts_at='2026-11-21T08:00:00Z').body['freeze_id']}"
    lifted = api.send("DELETE", path).body
    api.world.clock.advance(60)

    assert (lifted["state"], lifted["lifted_at"]) == ("lifted", "2026-11-21T07:00:00.000Z")
    assert api.send("DELETE", path).body == lifted
    assert api.send("GET", "/v1/freezes?unended=true").body["items"] == []


def test_a_freeze_that_was_lifted_before_it_began_is_planned_again(api: Api) -> None:
    """By another request; repetitions of both, or one without a key, find what is stored."""
    body = {"scope": EVERYTHING, "starts_at": "2026-11-21T08:00:00Z", "ends_at": SOON}
    first = api.send("POST", "/v1/freezes", body, Idempotency_Key="a")
    api.send("DELETE", first.headers["location"])
    api.world.clock.advance(60)
    repeated = [
        api.send("POST", "/v1/freezes", body, **key) for key in ({"Idempotency_Key": "a"}, {})
    ]
    anew = api.send("POST", "/v1/freezes", body, Idempotency_Key="b")
    api.world.clock.advance(60)
    again = [api.send("POST", "/v1/freezes", body, Idempotency_Key=key) for key in ("a", "b")]

    assert [(each.status, each.body["state"]) for each in repeated] == [(200, "lifted")] * 2
    assert (anew.status, anew.body["state"], anew.body["lifted_at"]) == (201, "scheduled", None)
    assert anew.body["freeze_id"] == first.body["freeze_id"]
    assert [(each.status, each.body) for each in again] == [(200, anew.body)] * 2
    assert api.send("GET", "/v1/freezes?unended=true").body["items"] == [anew.body]


def test_a_freeze_that_has_ended_is_not_lifted(api: Api) -> None:
    """It stays as it was."""
    path = f"/v1/freezes/{freeze(api).body['freeze_id']}"
    api.world.clock.advance(7200)
    answer = api.send("DELETE", path)

    assert (answer.status, answer.body["state"], answer.body["lifted_at"]) == (200, "ended", None)


def test_freezes_are_listed_last_to_start_first(api: Api) -> None:
    """By page; or all that have not ended, soonest first, on one."""
    for hour in (10, 8, 12):
        starts = f"2026-11-21T{hour:02}:00:00Z"
        freeze(api, starts_at=starts, ends_at="2026-11-22T00:00:00Z")
    lifted = api.send("GET", "/v1/freezes?limit=1").body["items"][0]
    api.send("DELETE", f"/v1/freezes/{lifted['freeze_id']}")
    first = api.send("GET", "/v1/freezes?limit=2").body
    second = api.send("GET", f"/v1/freezes?limit=2&cursor={first['next_cursor']}").body
    unended = api.send("GET", "/v1/freezes?unended=true&limit=1").body

    assert [each["starts_at"][11:13] for each in first["items"]] == ["12", "10"]
    assert [each["starts_at"][11:13] for each in second["items"]] == ["08"]
    assert second["next_cursor"] is None
    assert [each["starts_at"][11:13] for each in unended["items"]] == ["08", "10"]


def test_freezes_are_a_tenants_own(api: Api) -> None:
    """Another tenant's freeze does not exist."""
    path = f"/v1/freezes/{freeze(api).body['freeze_id']}"

    assert api.send("GET", path, tenant="globex").code == "freeze_not_found"
    assert api.send("DELETE", path, tenant="globex").code == "freeze_not_found"
    assert api.send("GET", "/v1/freezes", tenant="globex").body["items"] == []
    assert api.send("GET", path).body["state"] == "active"


@pytest.mark.parametrize("freeze_id", ["x", "20261121T070000000Z-0123456789ab", "..%2F..", "%00"])
def test_an_unknown_freeze_is_not_found(api: Api, freeze_id: str) -> None:
    """A malformed id answers alike."""
    assert api.send("GET", f"/v1/freezes/{freeze_id}").status == 404
    assert api.send("DELETE", f"/v1/freezes/{freeze_id}").status == 404


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"ends_at": None}, ("ends_at", "wrong_type")),
        ({"ends_at": "2026-11-21T07:00:00Z"}, ("ends_at", "range_reversed")),
        (
            {"starts_at": "2026-11-20T00:00:00Z", "ends_at": "2026-11-21T06:00:00Z"},
            ("ends_at", "in_the_past"),
        ),
        ({"starts_at": "2026-11-21T06:59:59Z"}, ("starts_at", "in_the_past")),
        ({"ends_at": "2027-11-22T07:00:00.001Z"}, ("ends_at", "range_too_long")),
        ({"scope": {"kind": "world"}}, ("scope.kind", "invalid_choice")),
        ({"scope": {}}, ("scope.kind", "missing")),
        ({"scope": {"kind": "tenant", "value": "x"}}, ("scope.value", "unknown_field")),
        ({"scope": {"kind": "tag"}}, ("scope.key", "missing")),
        ({"scope": {"kind": "tag", "key": "a=b"}}, ("scope.key", "invalid_format")),
        ({"scope": {"kind": "job", "job_id": "x"}}, ("scope.job_id", "invalid_format")),
        ({"thaw": "never"}, ("thaw", "invalid_choice")),
        ({"reason": "x" * 201}, ("reason", "too_long")),
        ({"reason": "a\nb"}, ("reason", "invalid_format")),
        ({"for": 60}, ("for", "unknown_field")),
    ],
    ids=str,
)
def test_a_freeze_that_cannot_be_is_refused(
    api: Api, fields: dict[str, object], refused: tuple[str, str]
) -> None:
    """By its field; nothing is frozen."""
    answer = freeze(api, **fields)

    assert (answer.status, answer.fields) == (400, [refused])
    assert api.send("GET", "/v1/freezes").body["items"] == []


def test_the_longest_freeze_lasts_a_leap_year(api: Api) -> None:
    """366 days and not a millisecond more."""
    assert freeze(api, ends_at="2027-11-22T07:00:00Z").status == 201


def test_a_tenant_has_so_many_freezes(api: Api) -> None:
    """That have not ended: lifting one makes room."""
    answers = [
        freeze(api, scope={"kind": "tag", "key": f"t{number}"}) for number in range(MAX_FREEZES + 1)
    ]
    api.send("DELETE", f"/v1/freezes/{answers[0].body['freeze_id']}")

    assert [answer.status for answer in answers] == [201] * MAX_FREEZES + [409]
    assert answers[-1].code == "too_many_freezes"
    assert freeze(api).status == 201


def test_each_decision_about_a_freeze_is_told(api: Api) -> None:
    """One event each."""
    freeze_id = freeze(api).body["freeze_id"]
    freeze(api)
    api.send("DELETE", f"/v1/freezes/{freeze_id}")

    assert [event.name for event in api.world.telemetry.events] == (
        ["freeze_created", "freeze_created", "freeze_lifted"]
    )
