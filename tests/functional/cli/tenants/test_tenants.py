"""``timegate tenants`` and ``timegate whoami``."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from timegate.contracts.tenants.tenant import SuspendRequest, TenantPatch

Timegate = Callable[..., Outcome]

QUOTAS: dict[str, Any] = {
    "jobs": 5000,
    "dags": None,
    "concurrent_runs": None,
    "runs_per_day": None,
    "requests_per_second": None,
    "burst": None,
}
TENANT: dict[str, Any] = {
    "tenant": "acme",
    "display_name": "Acme Ltd",
    "status": "suspended",
    "suspension": {
        "since": "2026-11-21T07:00:00.000Z",
        "reason": "unpaid",
        "freeze_id": "20261121T070000000Z-e4d687ff7bf9",
    },
    "quotas": QUOTAS,
    "list_runs": None,
    "effective_quotas": QUOTAS | {"dags": 10_000},
    "version": 3,
    "created_at": "2026-11-20T07:00:00.000Z",
    "updated_at": "2026-11-21T07:00:00.000Z",
}


@pytest.fixture(autouse=True)
def answered(api: FakeApi) -> None:
    api.will(ok(TENANT))


#: A program without scopes.
CI: dict[str, Any] = {"caller": "ci", "person": None, "scopes": [], "target_regions": ["eu-west-1"]}


def lines(outcome: Outcome) -> list[str]:
    """Return the printed lines without trailing blanks."""
    return [line.rstrip() for line in outcome.out.splitlines()]


def test_a_tenant_is_shown(timegate: Timegate, api: FakeApi) -> None:
    """Each quota says whether it is the tenant's own."""
    outcome = timegate("tenants", "show", "acme")

    assert api.asked == ["GET /v1/tenants/acme"]
    assert lines(outcome) == [
        "tenant               acme",
        "name                 Acme Ltd",
        "status               suspended",
        "suspended            since 2026-11-21 07:00:00 UTC: unpaid",
        "jobs                 5,000",
        "dags                 10,000, as the stage has it",
        "concurrent runs      no limit, as the stage has it",
        "runs per day         no limit, as the stage has it",
        "requests per second  no limit, as the stage has it",
        "burst                no limit, as the stage has it",
        "new jobs list        failures",
        "updated              2026-11-21 07:00:00 UTC, version 3",
    ]


def test_oneself_is_shown_with_what_one_may_do(timegate: Timegate, api: FakeApi) -> None:
    """It shows the tenant and the caller's scopes."""
    own: dict[str, Any] = {
        "caller": "ci",
        "person": None,
        "scopes": ["timegate/read", "timegate/write"],
    }
    own |= {"usage": {"jobs": 4998, "dags": 2, "runs_per_day": None}}
    own |= {"target_regions": ["eu-central-1", "us-east-1"]}
    api.will(ok({**TENANT, **own, "suspension": None, "status": "active"}))
    shown = lines(timegate("whoami"))

    assert api.asked == ["GET /v1/tenant"]
    assert shown[0] == "tenant               acme"
    assert shown[-5:] == [
        "jobs in use          4,998",
        "dags in use          2",
        "targets in           eu-central-1 us-east-1",
        "caller               ci",
        "scopes               timegate/read timegate/write",
    ]


def test_a_person_is_shown_with_her_roles(timegate: Timegate, api: FakeApi) -> None:
    """They decide what she may do."""
    usage = {"jobs": 1, "dags": 0, "runs_per_day": None}
    person = {"name": "acme/ada", "roles": ["viewer", "operator"]}
    api.will(ok({**TENANT, **CI, "usage": usage, "caller": "acme/ada", "person": person}))
    shown = lines(timegate("whoami"))

    assert "caller               acme/ada" in shown
    assert "roles                viewer operator" in shown


def test_runs_that_began_today_are_shown_where_runs_are_counted(
    timegate: Timegate, api: FakeApi
) -> None:
    """Beside the quota that they count against."""
    usage = {"jobs": 1, "dags": 0, "runs_per_day": 7}
    quotas = {"quotas": QUOTAS | {"runs_per_day": 10}} | {
        "effective_quotas": QUOTAS | {"runs_per_day": 10}
    }
    api.will(ok({**TENANT, **quotas, "usage": usage, **CI}))
    shown = lines(timegate("whoami"))

    assert "runs per day         10" in shown
    assert "runs begun today     7" in shown


def test_tenants_are_listed_with_their_own_quotas(timegate: Timegate, api: FakeApi) -> None:
    """Not with the stage's."""
    api.will(page([TENANT]))
    shown = timegate("tenants", "list", "--limit", "5").out

    assert api.asked == ["GET /v1/tenants?limit=5"]
    assert "jobs=5000" in shown
    assert "dags" not in shown


def test_name_and_quotas_are_set(timegate: Timegate, api: FakeApi) -> None:
    """An absent option is not sent; ``default`` takes a quota back."""
    outcome = timegate(
        *("tenants", "set", "acme", "--name", "Acme", "--if-version", "3"),
        *("--quota", "jobs=7", "--quota", "burst=default", "--list-runs", "all"),
    )
    TenantPatch.model_validate_json(api.calls[-1].content)

    assert (outcome.code, api.asked) == (0, ["PATCH /v1/tenants/acme"])
    quotas = {"jobs": 7, "burst": None}
    assert api.body == {"display_name": "Acme", "quotas": quotas, "list_runs": "all"}
    assert api.calls[-1].headers["if-match"] == '"3"'


@pytest.mark.parametrize("quota", ["job=5", "jobs", "jobs=many", "jobs=-1"])
def test_a_quota_that_is_none_is_refused(timegate: Timegate, api: FakeApi, quota: str) -> None:
    """Before anything is sent."""
    outcome = timegate("tenants", "set", "acme", "--quota", quota)

    assert (outcome.code, api.calls) == (2, [])


def test_a_tenant_is_suspended_and_resumed(timegate: Timegate, api: FakeApi) -> None:
    """With a reason and a thaw policy, or without."""
    timegate("tenants", "suspend", "acme", "--reason", "unpaid", "--thaw", "latest")
    SuspendRequest.model_validate_json(api.calls[-1].content)
    body = api.body
    api.will(ok(TENANT))
    timegate("tenants", "resume", "acme")

    assert body == {"reason": "unpaid", "thaw": "latest"}
    assert api.asked == ["POST /v1/tenants/acme/suspend", "POST /v1/tenants/acme/resume"]
