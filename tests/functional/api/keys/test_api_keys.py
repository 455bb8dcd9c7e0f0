"""Requests by API key: whom a key lets in, what it may do, and until when."""

from dataclasses import replace
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from api.http.tenancy import PREFIX
from tests.support.api import Answer, Api, gateway_event
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after
from tests.support.tenants.api_keys import SECRET, by_key, key_factory, text_of
from tests.support.world import World
from timegate.client.access import profile
from timegate.domain.tenants import api_key
from timegate.domain.tenants.api_key import MAX_KEYS, ApiKey, KeyScope, digest_of


def ask(
    api: Api, key: str | None, method: str = "GET", path: str = "/v1/jobs", body: str | None = None
) -> Answer:
    """A request by key."""
    return api.deliver(by_key(gateway_event(method, path, body=body), key))


def stored(world: World, **fields: object) -> ApiKey:
    """A key on record."""
    key = key_factory(**fields)
    assert world.api_keys.put(None, key)
    return key


def test_a_key_is_its_tenants(api: Api, world: World) -> None:
    """It sees what is its tenant's, and nothing of another's."""
    ours, theirs = api.create(name="ours"), api.create(name="theirs", tenant=OTHER_TENANT)
    key = text_of(stored(world))
    listed = ask(api, key).body["items"]

    assert [each["job_id"] for each in listed] == [ours["job_id"]]
    assert ask(api, key, path=f"/v1/jobs/{theirs['job_id']}").status == 404


@pytest.mark.parametrize(
    "text",
    [
        "tgk_",
        "tgk_acme.00",
        f"tgk_acme.0.{SECRET}",
        f"tgk_acme.00.{SECRET}A",
        f"tgk_acme.00.{SECRET[:-1]}",
        f"tgk_acme.01.{SECRET}",
        f"tgk_acme.00.{'B' * 43}",
        f"tgk_{OTHER_TENANT}.00.{SECRET}",
        "eyJraWQiOiJzYW1wbGUifQ.e30.c2FtcGxl",
    ],
)
def test_a_text_that_is_no_key_lets_no_caller_in(api: Api, world: World, text: str) -> None:
    """By its form, its place, its secret or its tenant: the answer does not say which."""
    stored(world, tenant=TENANT)
    answer = ask(api, text)

    assert (answer.status, answer.code) == (401, "api_key_unknown")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.body["detail"] == "The request carries no API key that the stage knows."


@pytest.mark.parametrize("scheme", ["", "Basic "])
def test_a_request_without_a_key_is_refused(api: Api, scheme: str) -> None:
    """At the address of keys nothing else counts, and no claims either."""
    event = by_key(gateway_event("GET", "/v1/jobs", claims={"client_id": TENANT}), None)
    if scheme:
        event["headers"]["authorization"] = f"{scheme}{text_of(key_factory())}"

    assert api.deliver(event).code == "unauthenticated"


def test_claims_of_a_gateway_are_worth_nothing_at_the_address_of_keys(
    api: Api, world: World
) -> None:
    """Even if a route were opened by mistake."""
    key = text_of(stored(world))
    event = by_key(gateway_event("GET", "/v1/tenant"), key)
    claims = {"client_id": OTHER_TENANT, "scope": "timegate/admin", "sub": "mallory"}
    event["requestContext"]["authorizer"] = {"jwt": {"claims": claims}}

    assert api.deliver(event).body["tenant"] == TENANT


def test_a_key_is_worth_nothing_at_the_address_of_tokens(api: Api, world: World) -> None:
    """Nor does a mark in the event make it one."""
    event = gateway_event("GET", "/v1/jobs")
    event["headers"]["authorization"] = f"Bearer {text_of(stored(world))}"
    event["timegateKey"] = ""

    assert api.deliver(event).code == "unauthenticated"


def test_a_key_ends(api: Api, world: World) -> None:
    """At the very millisecond; its holder is told so."""
    ends = {0: after(0.001), 1: NOW}
    keys = {slot: text_of(stored(world, slot=slot, ends_at=end)) for slot, end in ends.items()}
    ended = ask(api, keys[1])

    assert ask(api, keys[0]).status == 200
    assert (ended.status, ended.code) == (401, "api_key_ended")
    assert ended.body["detail"] == f"API key {key_factory(slot=1).key_id} has expired."


def test_an_ended_key_says_nothing_to_who_guesses(api: Api, world: World) -> None:
    """Only who has the secret hears that there was one."""
    stored(world, ends_at=NOW)

    assert ask(api, text_of(key_factory(), "B" * 43)).code == "api_key_unknown"


def test_a_revoked_key_lets_no_caller_in(api: Api, world: World) -> None:
    """At once where it was revoked, and within ten seconds elsewhere."""
    key = stored(world)
    before = ask(api, text_of(key)).status
    revoked = api.send("POST", f"/v1/keys/{key.key_id}/revoke").body
    answer = ask(api, text_of(key))

    assert before == 200
    assert (revoked["status"], revoked["revoked_at"]) == ("revoked", "2026-11-21T07:00:00.000Z")
    assert (answer.status, answer.code) == (401, "api_key_ended")
    assert answer.body["detail"].endswith("was revoked.")


def test_revocations_elsewhere_are_heard_of_in_ten_seconds(api: Api, world: World) -> None:
    """Not a millisecond later."""
    key = stored(world)
    ask(api, text_of(key))
    assert world.api_keys.put(key, key_factory(revoked_at=NOW))
    world.clock.advance(9.999)
    almost = ask(api, text_of(key)).status
    world.clock.advance(0.001)

    assert (almost, ask(api, text_of(key)).status) == (200, 401)


@pytest.mark.parametrize("before", [None, key_factory(ends_at=NOW, digest=digest_of("B" * 43))])
def test_a_new_key_is_good_at_once_everywhere(
    api: Api, world: World, before: ApiKey | None
) -> None:
    """Also where a process has just read its place as empty, or with a key that has ended."""
    if before is not None:
        assert world.api_keys.put(None, before)
    earlier = ask(api, text_of(key_factory(), "B" * 43)).code
    assert world.api_keys.put(before, key_factory())

    assert earlier == ("api_key_unknown" if before is None else "api_key_ended")
    assert ask(api, text_of(key_factory())).status == 200
    assert ask(api, text_of(key_factory(), "B" * 43)).code == "api_key_unknown"


@pytest.mark.parametrize(
    "route", [r for r in ROUTES if not r.asks_no_token], ids=lambda route: route.operation
)
def test_a_key_does_what_its_scopes_allow(api: Api, world: World, route: Route) -> None:
    """And nothing else, the administration of the stage least of all."""
    others = tuple(scope for scope in KeyScope if scope != str(route.scope))
    key = text_of(stored(world, scopes=others))
    path = route.path.replace("<", "").replace(">", "")
    answer = ask(api, key, route.method, path)

    assert (answer.status, answer.code) == (403, "insufficient_scope")


def test_keys_are_made_listed_and_revoked(api: Api) -> None:
    """By a tenant itself; the key itself is in the first answer alone."""
    asked = {"name": "exports", "scopes": ["operate", "read"], "expires_at": "2026-12-01T00:00:00Z"}
    made = api.send("POST", "/v1/keys", asked)
    listed = api.send("GET", "/v1/keys").body["items"]

    assert made.status == 201
    assert listed == [{name: said for name, said in made.body.items() if name != "api_key"}]
    assert {name: listed[0][name] for name in ("name", "scopes", "expires_at", "status")} == {
        "name": "exports",
        "scopes": ["read", "operate"],
        "expires_at": "2026-12-01T00:00:00.000Z",
        "status": "active",
    }
    assert ask(api, made.body["api_key"]).status == 200
    assert ask(api, made.body["api_key"], "POST", "/v1/jobs", "{}").code == "insufficient_scope"


@pytest.mark.parametrize(
    ("expires_at", "code"),
    [(NOW, "in_the_past"), (NOW + timedelta(days=400, milliseconds=1), "out_of_range")],
)
def test_ends_of_keys_are_bounded(api: Api, expires_at: Any, code: str) -> None:  # noqa: ANN401
    """A key ends within 400 days."""
    text = f"{expires_at:%Y-%m-%dT%H:%M:%S.%f}Z"
    answer = api.send("POST", "/v1/keys", {"expires_at": text})

    assert answer.fields == [("expires_at", code)]


def test_a_key_may_last_400_days(api: Api) -> None:
    """365 where nothing is said."""
    most = f"{NOW + timedelta(days=400):%Y-%m-%dT%H:%M:%SZ}"

    assert api.send("POST", "/v1/keys", {"expires_at": most}).status == 201
    assert api.send("POST", "/v1/keys").body["expires_at"] == (
        f"{NOW + timedelta(days=365):%Y-%m-%dT%H:%M:%S}.000Z"
    )


def test_no_caller_gives_scopes_that_it_lacks(api: Api) -> None:
    """A token makes keys with scopes of its own."""
    claims = {"client_id": TENANT, "scope": "timegate/write timegate/read"}
    body = '{"scopes": ["read", "operate"]}'
    answer = api.deliver(gateway_event("POST", "/v1/keys", body=body, claims=claims))

    assert (answer.status, answer.code) == (403, "insufficient_scope")
    assert "timegate/operate" in answer.body["detail"]


def test_a_key_makes_no_keys(api: Api, world: World) -> None:
    """It would outlive its own end; it revokes none but itself."""
    key, other = stored(world), stored(world, slot=1)
    text = text_of(key)

    assert ask(api, text, "POST", "/v1/keys").code == "keys_make_no_keys"
    assert ask(api, text, "POST", f"/v1/keys/{other.key_id}/revoke").code == "keys_make_no_keys"
    assert ask(api, text, "POST", f"/v1/keys/{key.key_id}/revoke").body["status"] == "revoked"


def test_a_tenant_has_so_many_keys(api: Api, world: World) -> None:
    """The place of one that has ended is given again, and the old id names no key any more."""
    keys = [stored(world, slot=slot) for slot in range(MAX_KEYS)]
    full = api.send("POST", "/v1/keys")
    api.send("POST", f"/v1/keys/{keys[7].key_id}/revoke")
    made = api.send("POST", "/v1/keys")

    assert (full.status, full.code) == (409, "too_many_api_keys")
    assert made.body["key_id"].startswith("07")
    assert api.send("POST", f"/v1/keys/{keys[7].key_id}/revoke").status == 404
    assert ask(api, text_of(keys[7])).code == "api_key_unknown"


@pytest.mark.parametrize("key_id", ["000f007385b7", "none", "99" + "0" * 10])
def test_unknown_keys_are_not_revoked(api: Api, world: World, key_id: str) -> None:
    """Nor another tenant's."""
    key = stored(world, tenant=OTHER_TENANT)
    answers = [api.send("POST", f"/v1/keys/{each}/revoke") for each in (key_id, key.key_id)]

    assert [(each.status, each.code) for each in answers] == [(404, "api_key_not_found")] * 2


def test_the_administration_makes_keys_of_tenants_on_record(api: Api) -> None:
    """A slip of the pen makes no tenant."""
    unknown = api.send("POST", "/v1/tenants/globax/keys")
    api.send("POST", "/v1/tenants", {"tenant": "globex", "key": None})
    made = api.send("POST", "/v1/tenants/globex/keys", {"scopes": ["read"]}).body
    path = f"/v1/tenants/globex/keys/{made['key_id']}/revoke"

    assert (unknown.status, unknown.code) == (404, "tenant_not_found")
    assert ask(api, made["api_key"]).status == 200
    assert api.send("POST", path).body["status"] == "revoked"
    assert ask(api, made["api_key"]).status == 401


def test_workers_prove_themselves_by_key(api: Api, world: World) -> None:
    """In the function of workers, with the scope of workers."""
    key = text_of(stored(world, scopes=(KeyScope.WORKER,)))
    body = '{"worker": "w-1"}'

    assert ask(api, key, "POST", "/v1/pools/etl/claim", body).status == 200


def test_changes_by_key_are_in_the_trail(api: Api, world: World) -> None:
    """Under the key's id, and not as changes of the tenant's client."""
    key = stored(world)
    job_id = api.create()["job_id"]
    ask(api, text_of(key), "POST", f"/v1/jobs/{job_id}/pause")
    told = [each["actor"] for each in api.send("GET", "/v1/audit").body["items"]]
    actors = {(each["subject"], each["client_id"]) for each in told}

    assert actors == {(TENANT, TENANT), (f"key/{key.key_id}", None)}


@pytest.mark.parametrize("claim", ["sub", "scope", "org"])
def test_a_key_is_no_other_caller_whatever_claim_names_tenants(
    api: Api, world: World, handler: ModuleType, monkeypatch: pytest.MonkeyPatch, claim: str
) -> None:
    """The trail and approvals know it by its id, also where a token's subject is the tenant."""
    monkeypatch.setattr(handler, "services", replace(handler.services, tenant_claim=claim))
    key = stored(world)
    asked = ask(api, text_of(key), path="/v1/tenant")

    assert (asked.body["tenant"], asked.body["caller"]) == (TENANT, f"key/{key.key_id}")


def test_the_client_knows_a_key_by_its_beginning() -> None:
    """One beginning and one path, on both sides."""
    assert (profile.KEY_PREFIX, profile.KEY_PATH) == (api_key.KEY_PREFIX, PREFIX)
