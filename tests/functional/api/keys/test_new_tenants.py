"""Tenants that are made at run time: one request, and the first key works."""

import pytest

from tests.support.api import Answer, Api, gateway_event
from tests.support.factories import NOW
from tests.support.tenants.api_keys import by_key
from timegate.domain.moving.erasure import erased
from timegate.domain.values.tenant import TenantId

TENANTS = "/v1/tenants"


def test_a_new_tenant_works_at_once(api: Api) -> None:
    """By its first key, with the quotas of new tenants where its maker names no others."""
    made = api.send("POST", TENANTS, {"tenant": "globex", "quotas": {"jobs": 5}})
    key = made.body["key"]["api_key"]
    asked = api.deliver(by_key(gateway_event("GET", "/v1/tenant"), key)).body

    assert (made.status, made.headers["etag"]) == (201, '"1"')
    assert made.body["tenant"]["quotas"] == {
        "jobs": 5,
        "dags": 100,
        "concurrent_runs": 100,
        "runs_per_day": 100_000,
        "requests_per_second": 50,
        "burst": 100,
    }
    assert None not in made.body["tenant"]["effective_quotas"].values()
    assert (asked["tenant"], asked["caller"]) == ("globex", f"key/{made.body['key']['key_id']}")
    assert asked["scopes"] == [
        f"timegate/{scope}" for scope in ("operate", "read", "send", "worker", "write")
    ]


def test_a_tenant_is_made_once(api: Api) -> None:
    """A repetition is refused; settings and keys stay, and no second key is made."""
    first = api.send("POST", TENANTS, {"tenant": "globex", "display_name": "Globex"})
    second = api.send("POST", TENANTS, {"tenant": "globex"})
    keys = api.send("GET", f"{TENANTS}/globex/keys").body["items"]

    assert (second.status, second.code) == (409, "tenant_exists")
    assert [each["key_id"] for each in keys] == [first.body["key"]["key_id"]]
    assert api.send("GET", f"{TENANTS}/globex").body["display_name"] == "Globex"


def test_a_tenant_of_people_alone_gets_no_key(api: Api) -> None:
    """They sign in; ``key`` is null."""
    made = api.send("POST", TENANTS, {"tenant": "globex", "key": None})

    assert (made.status, made.body["key"]) == (201, None)
    assert api.send("GET", f"{TENANTS}/globex/keys").body["items"] == []


def test_the_trail_has_the_tenant_and_its_key(api: Api) -> None:
    """Two entries of one request; neither has what proves the key."""
    made = api.send("POST", TENANTS, {"tenant": "globex"}).body["key"]
    answer = api.send("GET", f"{TENANTS}/globex/audit")
    entries = [(each["operation"], each["resource"]) for each in answer.body["items"]]

    assert sorted(entries, key=str) == [
        ("createTenant", {"kind": "api_key", "id": made["key_id"]}),
        ("createTenant", {"kind": "tenant", "id": "globex"}),
    ]
    assert made["api_key"].rpartition(".")[2] not in str(answer.body)
    assert "digest" not in str(answer.body)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Globex", "invalid_format"),
        ("-globex", "invalid_format"),
        ("glo.bex", "invalid_format"),
        ("", "invalid_format"),
        ("g" * 64, "invalid_format"),
    ],
)
def test_names_of_new_tenants_are_narrow(api: Api, name: str, code: str) -> None:
    """Two never differ by case alone: user names of people are compared without it."""
    answer = api.send("POST", TENANTS, {"tenant": name})

    assert (answer.status, answer.fields) == (400, [("tenant", code)])


def test_the_longest_name_is_one(api: Api) -> None:
    """63 characters."""
    assert api.send("POST", TENANTS, {"tenant": "g" * 63}).status == 201


def test_a_suspended_tenant_s_key_reads_alone(api: Api) -> None:
    """Its key is judged as its tokens are."""
    key = api.send("POST", TENANTS, {"tenant": "globex"}).body["key"]["api_key"]
    api.send("POST", f"{TENANTS}/globex/suspend", {"reason": "unpaid"})

    def ask(method: str, path: str, body: str | None = None) -> Answer:
        return api.deliver(by_key(gateway_event(method, path, body=body), key))

    assert ask("GET", "/v1/jobs").status == 200
    assert ask("POST", "/v1/jobs", "{}").code == "tenant_suspended"


def test_a_tenant_begins_when_it_is_made(api: Api) -> None:
    """At the time of the request."""
    tenant = api.send("POST", TENANTS, {"tenant": "globex"}).body["tenant"]

    assert tenant["created_at"] == tenant["updated_at"] == f"{NOW:%Y-%m-%dT%H:%M:%S}.000Z"


def test_an_erased_tenant_is_refused_everything(api: Api) -> None:
    """Reads as well, by token and by key; the administration sees the name, and makes nothing."""
    key = api.send("POST", TENANTS, {"tenant": "globex"}).body["key"]["api_key"]
    before = api.world.tenants.get(TenantId("globex"))
    assert api.world.tenants.put(before.tenant, before, erased(before, now=NOW))
    api.world.clock.advance(10)
    reads = [
        api.send("GET", "/v1/jobs", tenant="globex"),
        api.deliver(by_key(gateway_event("GET", "/v1/jobs"), key)),
    ]
    changes = [
        api.send("PATCH", f"{TENANTS}/globex", {"display_name": "again"}),
        api.send("POST", f"{TENANTS}/globex/resume"),
        api.send("POST", f"{TENANTS}/globex/keys"),
    ]

    assert [(each.status, each.code) for each in reads + changes] == [(403, "tenant_erased")] * 5
    assert api.send("POST", TENANTS, {"tenant": "globex"}).code == "tenant_exists"
    assert api.send("GET", f"{TENANTS}/globex").body["status"] == "erased"
