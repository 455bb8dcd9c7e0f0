"""The administration of tenants, and what a tenant sees and feels of it."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from api.http.table import ROUTES
from tests.support.api import SCOPES, Api, gateway_event
from tests.support.factories import NOW, OTHER_TENANT, TENANT
from tests.support.world import World

ADMIN = "/v1/tenants"
NO_QUOTAS: dict[str, Any] = dict.fromkeys(
    ("jobs", "dags", "concurrent_runs", "runs_per_day", "requests_per_second", "burst")
)
API = Path(__file__).resolve().parents[4] / "functions" / "api"


def test_a_tenant_without_settings_has_the_stage_s_quotas(api: Api) -> None:
    """It is there as soon as its tokens are."""
    answer = api.send("GET", f"{ADMIN}/acme")

    assert answer.headers["etag"] == '"0"'
    assert answer.body == {
        "tenant": "acme",
        "display_name": "",
        "status": "active",
        "suspension": None,
        "quotas": NO_QUOTAS,
        "list_runs": None,
        "effective_quotas": NO_QUOTAS
        | {"jobs": 1_000_000, "dags": 1_000, "requests_per_second": 1_000, "burst": 2_000},
        "version": 0,
        "created_at": None,
        "updated_at": None,
    }


def test_settings_are_replaced_and_changed(api: Api) -> None:
    """``PUT`` sets everything, ``PATCH`` what it names; null is as the stage has it."""
    first = api.send("PUT", f"{ADMIN}/acme", {"display_name": "Acme", "quotas": {"jobs": 5}})
    second = api.send("PATCH", f"{ADMIN}/acme", {"quotas": {"dags": 0}})
    third = api.send("PATCH", f"{ADMIN}/acme", {"quotas": {"jobs": None}, "display_name": ""})
    fourth = api.send("PUT", f"{ADMIN}/acme", {})

    assert [each.body["version"] for each in (first, second, third, fourth)] == [1, 2, 3, 4]
    assert second.body["quotas"] == NO_QUOTAS | {"jobs": 5, "dags": 0}
    assert second.body["display_name"] == "Acme"
    assert (third.body["quotas"], third.body["display_name"]) == (NO_QUOTAS | {"dags": 0}, "")
    assert third.body["effective_quotas"]["jobs"] == 1_000_000
    assert fourth.body["quotas"] == NO_QUOTAS


def test_what_changes_nothing_is_no_version(api: Api) -> None:
    """So a repeated request is harmless."""
    api.send("PUT", f"{ADMIN}/acme", {"display_name": "Acme"})
    again = api.send("PUT", f"{ADMIN}/acme", {"display_name": "Acme"})

    assert again.body["version"] == 1


@pytest.mark.parametrize(
    ("header", "status"),
    [
        ({"If_Match": '"1"'}, 200),
        ({"If_Match": '"0"'}, 412),
        ({"If_Match": '"2"'}, 412),
        ({"If_None_Match": "*"}, 412),
    ],
    ids=str,
)
@pytest.mark.parametrize("verb", ["", "/suspend", "/resume"])
def test_a_version_can_be_asked_for(
    api: Api, header: dict[str, str], status: int, verb: str
) -> None:
    """A caller that read another one changes nothing."""
    api.send("PUT", f"{ADMIN}/acme", {"display_name": "Acme"})
    method, body = ("POST", None) if verb else ("PATCH", {"display_name": "Other"})
    answer = api.send(method, f"{ADMIN}/acme{verb}", body, **header)

    assert answer.status == status


@pytest.mark.parametrize(
    ("body", "field", "code"),
    [
        ({"quotas": {"jobs": -1}}, "quotas.jobs", "too_small"),
        ({"quotas": {"jobs": 1_000_000_001}}, "quotas.jobs", "too_large"),
        ({"quotas": {"jobs": "5"}}, "quotas.jobs", "wrong_type"),
        ({"quotas": {"job": 5}}, "quotas.job", "unknown_field"),
        ({"display_name": "x" * 201}, "display_name", "too_long"),
        ({"status": "suspended"}, "status", "unknown_field"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(
    api: Api, body: dict[str, object], field: str, code: str
) -> None:
    """By its field; nothing is stored."""
    answer = api.send("PUT", f"{ADMIN}/acme", body)

    assert (answer.status, answer.fields) == (400, [(field, code)])
    assert api.world.tables.tenants == {}


def test_a_name_that_no_token_can_have_is_refused(api: Api) -> None:
    """It could be read as part of a key."""
    answer = api.send("GET", f"{ADMIN}/-acme")

    assert (answer.status, answer.fields) == (400, [("tenant", "invalid_format")])


def test_tenants_are_listed_by_name(api: Api) -> None:
    """Tenants with settings are listed, a page at a time."""
    for name in ("c", "a", "b"):
        api.send("PUT", f"{ADMIN}/{name}", {"display_name": name.upper()})
    first = api.send("GET", f"{ADMIN}?limit=2").body
    rest = api.send("GET", f"{ADMIN}?limit=2&cursor={first['next_cursor']}").body

    assert [each["tenant"] for each in (*first["items"], *rest["items"])] == ["a", "b", "c"]
    assert rest["next_cursor"] is None


def test_a_suspended_tenant_reads_and_changes_nothing(api: Api) -> None:
    """With a stable code, and why; another tenant feels nothing."""
    job_id = api.create()["job_id"]
    suspended = api.send("POST", f"{ADMIN}/{TENANT}/suspend", {"reason": "unpaid"})
    api.world.clock.advance(10)
    refused = api.send("POST", f"/v1/jobs/{job_id}/pause")

    assert (suspended.status, suspended.body["status"]) == (200, "suspended")
    assert (refused.status, refused.code) == (409, "tenant_suspended")
    assert refused.body["detail"] == "The tenant is suspended; it can only read: unpaid"
    assert api.send("GET", f"/v1/jobs/{job_id}").body["status"] == "active"
    assert api.create(tenant=OTHER_TENANT)["status"] == "active"


CHANGING = [route for route in ROUTES if route.changes]


@pytest.mark.parametrize("route", CHANGING, ids=lambda route: route.operation)
def test_every_change_is_refused_of_a_suspended_tenant(api: Api, route: Any) -> None:  # noqa: ANN401
    """Before anything of the request is read."""
    api.send("POST", f"{ADMIN}/{TENANT}/suspend")
    path = re.sub(r"<\w+>", "none", route.path)
    answer = api.deliver(
        gateway_event(route.method, path, claims={"client_id": TENANT, "scope": SCOPES})
    )

    assert (answer.status, answer.code) == (409, "tenant_suspended")


def test_what_workers_say_is_heard_of_a_suspended_tenant() -> None:
    """A run that has begun goes on to its end; the freeze lets no other begin."""
    assert [each for each in CHANGING if each.served_by == "workers" or each.by_lease] == []


def test_a_tenant_is_suspended_by_a_freeze_that_only_the_stage_ends(api: Api) -> None:
    """It is among the tenant's freezes, has no end, and is over when the tenant is resumed."""
    body = {"reason": "unpaid", "thaw": "latest"}
    suspended = api.send("POST", f"{ADMIN}/{TENANT}/suspend", body).body
    again = api.send("POST", f"{ADMIN}/{TENANT}/suspend", {"reason": "other"}).body
    (freeze,) = api.send("GET", "/v1/freezes?unended=true").body["items"]

    assert again == suspended
    assert suspended["suspension"] == {
        "since": "2026-11-21T07:00:00.000Z",
        "reason": "unpaid",
        "freeze_id": freeze["freeze_id"],
    }
    assert (freeze["by_stage"], freeze["thaw"], freeze["ends_at"]) == (
        True,
        "latest",
        "9000-01-01T00:00:00.000Z",
    )

    api.world.clock.advance(60)
    resumed = api.send("POST", f"{ADMIN}/{TENANT}/resume").body
    lifted = api.send("GET", f"/v1/freezes/{freeze['freeze_id']}").body

    assert (resumed["status"], resumed["suspension"], resumed["version"]) == ("active", None, 2)
    assert (lifted["state"], lifted["lifted_at"]) == ("lifted", "2026-11-21T07:01:00.000Z")
    assert api.create()["status"] == "active"


def test_a_tenant_cannot_lift_what_the_stage_froze(api: Api) -> None:
    """Even where no process has read yet that it is suspended."""
    api.create()
    freeze_id = api.send("POST", f"{ADMIN}/{TENANT}/suspend").body["suspension"]["freeze_id"]
    api.world.tables.tenants.clear()
    answer = api.send("DELETE", f"/v1/freezes/{freeze_id}")

    assert (answer.status, answer.code) == (409, "freeze_of_stage")


def pass_minutes(world: World, count: int) -> None:
    """Planner, relay, executors and sweeper at work, minute by minute."""
    for _ in range(count):
        world.clock.advance(60)
        world.tick()
        world.settle()
        world.sweep()


def test_nothing_of_a_suspended_tenant_fires_and_its_thaw_policy_applies(api: Api) -> None:
    """Instants that came due meanwhile are recorded: the last one runs, the others are frozen."""
    job_id = api.create(schedule={"kind": "cron", "cron": "*/10 * * * *"})["job_id"]
    api.send("POST", f"{ADMIN}/{TENANT}/suspend", {"thaw": "latest"})
    world = api.world
    pass_minutes(world, 41)
    before = list(world.target.calls)
    api.send("POST", f"{ADMIN}/{TENANT}/resume")
    pass_minutes(world, 3)
    ledger = api.send(
        "GET",
        f"/v1/jobs/{job_id}/ledger?from=2026-11-21T07:10:00Z&to=2026-11-21T07:40:00Z",
    ).body["items"]

    assert before == []
    assert [call.attempt.run.scheduled_at.minute for call in world.target.calls] == [40]
    assert {row["reason"] for row in ledger[:-1]} == {"frozen"}
    assert ledger[-1]["state"] == "succeeded"


def test_a_tenant_sees_its_own_settings(api: Api) -> None:
    """With what its token may do; never another's."""
    api.send("PUT", f"{ADMIN}/{OTHER_TENANT}", {"display_name": "Other"})
    own = api.send("GET", "/v1/tenant").body

    assert (own["tenant"], own["display_name"], own["caller"]) == (TENANT, "", TENANT)
    assert own["scopes"] == sorted(SCOPES.split())
    assert api.send("GET", "/v1/tenant", tenant=OTHER_TENANT).body["display_name"] == "Other"


@pytest.mark.parametrize("scope", [SCOPES, ""], ids=["a tenant's", "none"])
def test_a_tenant_s_token_administers_no_tenant(api: Api, scope: str) -> None:
    """Not even itself; and it does not hear whether a name can be one."""
    claims = {"client_id": TENANT, "scope": scope}
    answers = [
        api.deliver(gateway_event(method, path, claims=claims))
        for method, path in (
            ("GET", f"{ADMIN}/{TENANT}"),
            ("PUT", f"{ADMIN}/{TENANT}"),
            ("GET", f"{ADMIN}/-"),
            ("GET", ADMIN),
            ("POST", f"{ADMIN}/{OTHER_TENANT}/resume"),
        )
    ]

    assert {(each.status, each.code) for each in answers} == {(403, "insufficient_scope")}


def test_the_administration_needs_no_tenant_and_is_none(api: Api) -> None:
    """An issuer may give its tokens no claim of a tenant; they read no tenant's jobs."""
    claims = {"scope": "timegate/admin"}
    read = api.deliver(gateway_event("GET", f"{ADMIN}/{TENANT}", claims=claims))
    jobs = api.deliver(gateway_event("GET", "/v1/jobs", claims={**claims, "client_id": "root"}))

    assert (read.status, jobs.status) == (200, 403)


def test_only_the_administration_names_a_tenant_in_its_path() -> None:
    """Everywhere else the token does."""
    naming = {route.operation for route in ROUTES if "tenant>" in route.path}
    of_stage = {route.operation for route in ROUTES if route.of_stage}

    others = {"createTenant", "listTenants", "getStageOverview", "getStageCost", "getHealth"}
    others |= {"readStageAudit"}
    others |= {f"{verb}StageFreeze" for verb in ("create", "get", "lift")} | {"listStageFreezes"}

    assert naming | others == of_stage
    assert {route.scope for route in ROUTES if route.of_stage} == {"admin"}


def test_only_one_module_makes_out_whose_request_it_is() -> None:
    """No other part of the API makes a tenant's id of anything, or an exchange for another."""
    makers = {
        path.relative_to(API).as_posix()
        for path in API.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", None) in {"TenantId", "tenant_id", "tenant_in", "Exchange"}
    }

    assert makers == {"http/tenancy.py", "app.py"}


def test_settings_say_when_they_were_made_and_changed(api: Api) -> None:
    """The first stays."""
    api.send("PUT", f"{ADMIN}/acme", {})
    api.world.clock.advance(1)
    changed = api.send("PATCH", f"{ADMIN}/acme", {"display_name": "Acme"}).body

    assert changed["created_at"] == NOW.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert changed["updated_at"] == "2026-11-21T07:00:01.000Z"
