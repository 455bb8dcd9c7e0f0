"""People at the API: their roles limit them, their tenant is theirs alone, the trail names them."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.functional.api.tenants.test_scopes import ask
from tests.support.api import Answer, Api, gateway_event, new_job
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.values.tokens import PERSON

#: Routes that no role allows are left out: people work as no worker.
SCOPED = [route for route in ROUTES if not route.asks_no_token]
ALLOWED = {
    "viewer": {"read"},
    "operator": {"read", "operate", "send"},
    "editor": {"read", "write", "operate", "send"},
    "admin": {"read", "write", "operate", "send", "admin"},
}


def person(roles: str, name: str = f"{TENANT}/ada") -> dict[str, str]:
    """Claims of a person with these roles."""
    return {**PERSON, "username": name, "cognito:groups": f"[{roles}]"}


def send(
    api: Api, claims: Mapping[str, str], method: str, path: str, body: str | None = None
) -> Answer:
    """A person's request."""
    headers = {"Content-Type": "application/json"} if body else {}
    return api.deliver(gateway_event(method, path, body=body, headers=headers, claims=claims))


@pytest.mark.parametrize("role", ALLOWED)
def test_a_role_allows_its_scopes_and_nothing_else(api: Api, role: str) -> None:
    """At every route; the answer names the roles that would."""
    everything = {**person(role), "scope": f"{PERSON['scope']} timegate/worker"}
    refused = {
        route.operation: ask(api, route, everything)
        for route in SCOPED
        if route.scope not in ALLOWED[role]
    }
    let_in = [ask(api, route, everything) for route in SCOPED if route.scope in ALLOWED[role]]

    assert {(each.status, each.code) for each in refused.values()} == {(403, "insufficient_role")}
    assert all(f"yours: {role}" in each.body["detail"] for each in refused.values())
    assert "insufficient_role" not in {each.body.get("code") for each in let_in}


@pytest.mark.parametrize("route", SCOPED, ids=lambda route: route.operation)
def test_without_a_role_nothing_is_allowed(api: Api, route: Route) -> None:
    """A person without a role is no program, whose scopes alone would count."""
    claims = {**PERSON, "scope": f"{PERSON['scope']} timegate/worker"}
    answer = ask(api, route, claims)

    assert (answer.status, answer.code) == (403, "insufficient_role")


def test_the_answer_names_the_roles_that_may(api: Api) -> None:
    """So that she knows what to ask for."""
    answer = send(api, person("viewer"), "POST", "/v1/jobs")

    assert answer.body["detail"] == "This takes one of the roles editor, admin; yours: viewer."


def test_a_role_lends_no_scope(api: Api) -> None:
    """A token that was asked for reading reads, whatever its holder may do."""
    claims = {**person("admin"), "scope": "openid timegate/read"}
    answer = send(api, claims, "GET", f"/v1/tenants/{TENANT}")

    assert (answer.status, answer.code) == (403, "insufficient_scope")


def test_a_person_sees_her_own_tenant_alone(api: Api) -> None:
    """Other claims of her token name no tenant."""
    mine = api.create(name="mine")["job_id"]
    theirs = api.create(name="theirs", tenant=OTHER_TENANT)["job_id"]
    claims = {**person("viewer"), "tenant": OTHER_TENANT, "custom:tenant": OTHER_TENANT}
    listed = send(api, claims, "GET", "/v1/jobs").body["items"]

    assert [each["job_id"] for each in listed] == [mine]
    assert send(api, claims, "GET", f"/v1/jobs/{theirs}").status == 404
    assert send(api, person("admin"), "DELETE", f"/v1/jobs/{theirs}").status == 404


@pytest.mark.parametrize("name", ["ada", "/ada", "a#b/ada", " acme/ada", "\uff41cme/ada"])
def test_a_person_without_a_tenant_is_refused(api: Api, name: str) -> None:
    """She gets none by default, and not the console's client."""
    answer = send(api, person("editor", name), "GET", "/v1/jobs")

    assert (answer.status, answer.code) == (403, "invalid_tenant")


def test_a_person_is_told_who_she_is(api: Api) -> None:
    """With her roles, and with the scopes that they leave her."""
    own = send(api, person("operator viewer"), "GET", "/v1/tenant").body

    assert (own["tenant"], own["caller"]) == (TENANT, f"{TENANT}/ada")
    assert own["person"] == {"name": f"{TENANT}/ada", "roles": ["viewer", "operator"]}
    assert own["scopes"] == ["timegate/operate", "timegate/read", "timegate/send"]
    assert api.send("GET", "/v1/tenant").body["person"] is None


def test_the_audit_trail_names_the_person(api: Api) -> None:
    """And the console's client beside her."""
    created = send(api, person("editor"), "POST", "/v1/jobs", json.dumps(new_job())).body
    (entry,) = api.send("GET", f"/v1/jobs/{created['job_id']}/audit").body["items"]
    by_name = api.send("GET", f"/v1/audit?actor={TENANT}/ada").body["items"]

    assert entry["actor"]["subject"] == f"{TENANT}/ada"
    assert entry["actor"]["client_id"] == "5h0console"
    assert by_name == [entry]


def test_an_administrator_changes_tenants_in_her_name(api: Api) -> None:
    """The stage's own people have the role; the tenant's trail says who it was."""
    path = f"/v1/tenants/{OTHER_TENANT}"
    changed = send(api, person("admin"), "PATCH", path, '{"display_name": "Other"}')
    (entry,) = api.send("GET", f"{path}/audit").body["items"]

    assert changed.status == 200
    assert (entry["actor"]["subject"], entry["actor"]["of_stage"]) == (f"{TENANT}/ada", True)


def test_a_bulk_operation_remembers_the_person(api: Api) -> None:
    """It goes on after her request, in her name."""
    body = '{"kind": "pause", "filter": {"all": true}}'
    started: dict[str, Any] = send(api, person("operator"), "POST", "/v1/operations", body).body

    assert started.get("created_by") == f"{TENANT}/ada", started
