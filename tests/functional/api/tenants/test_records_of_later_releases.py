"""Records that a later release wrote, for readers that know more: they hide no others.

During a canary, and after it was gone back to, the earlier release meets them.
"""

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.api import Api
from tests.support.factories import TENANT
from tests.support.ruling import rule_factory
from tests.support.stores.corrupt_record import from_later_release
from tests.support.stores.records import JOBS_TABLE
from tests.support.tenants.api_keys import key_factory
from timegate.adapters.dynamo.tables.keys import Key, job_key, rule_key, watch_key
from timegate.adapters.dynamo.tenants.api_key_items import api_key_key
from timegate.adapters.dynamo.tenants.tenant_items import tenant_key
from timegate.domain.tenants.api_key import MAX_KEYS
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId

DAG = {
    "name": "x",
    "tasks": [{"key": "a", "job": {"action": {"type": "worker", "pool": "p", "handler": "h"}}}],
}


def later(api: Api, key: Key) -> None:
    """Let a record of the table of jobs be one of a later release."""
    from_later_release(api.world.tables.engine, JOBS_TABLE, key)


def items_where(api: Api, is_meant: Callable[[str, str], bool]) -> list[Key]:
    """Return keys of records, latest first."""
    found = api.world.tables.engine.items(JOBS_TABLE)
    keys = [Key(pk=str(each["pk"]), sk=str(each["sk"])) for each in found]
    return sorted(filter(lambda key: is_meant(key.pk, key.sk), keys), key=lambda key: key.sk)[::-1]


def listed(api: Api, path: str, name: str) -> list[Any]:
    """Return a field of each item of a listing, read by pages of two."""
    found: list[Any] = []
    more: str | None = ""
    while more is not None:
        answer = api.send("GET", f"{path}?limit=2{more and f'&cursor={more}'}")
        assert answer.status == 200, answer.body
        found += [each[name] for each in answer.body["items"]]
        more = answer.body["next_cursor"]
    return found


def told(api: Api, event: str) -> int:
    """Count what operators were told."""
    return len(api.world.telemetry.named(event))


def test_an_entry_of_the_trail_hides_no_other(api: Api) -> None:
    """The others have records of their own, or lie in those of their jobs."""
    jobs = []
    for number in range(3):
        jobs.append(api.create(name=f"job {number}")["job_id"])
        api.world.clock.advance(1)
        assert api.send("PATCH", f"/v1/jobs/{jobs[-1]}", {"name": "other"}).status == 200
        api.world.clock.advance(1)
    before = listed(api, "/v1/audit", "request_id")
    own = items_where(api, lambda pk, _: "#audit#" in pk and jobs[0] in pk)
    later(api, own[0])
    after = listed(api, "/v1/audit", "request_id")

    assert len(after) == len(before) - 1
    assert told(api, "audit_entry_unreadable") == 1


def test_a_damaged_job_hides_no_entry_of_another(api: Api) -> None:
    """Records of jobs may have the entry of their creation."""
    jobs = [api.create(schedule={"kind": "immediate"})["job_id"] for _ in range(2)]
    later(api, job_key(TENANT, jobs[0]))
    found = api.send("GET", "/v1/audit").body["items"]

    assert [each["resource"]["id"] for each in found] == [jobs[1]]
    assert told(api, "audit_entry_unreadable") == 1


def test_a_key_hides_no_other_and_keeps_its_place(api: Api) -> None:
    """A new key takes another place: the unreadable one may open something."""
    store = api.world.api_keys
    keys = [key_factory(slot=slot, digest=str(slot) * 64) for slot in (0, 1)]
    assert all(store.put(None, key) for key in keys)
    later(api, api_key_key(TENANT, 0))
    made = api.send("POST", "/v1/keys", {"name": "new"})
    found = api.send("GET", "/v1/keys")

    assert made.status == 201
    assert found.status == 200
    assert [each["key_id"] for each in found.body["items"]] == [
        keys[1].key_id,
        made.body["key_id"],
    ]
    assert told(api, "api_key_unreadable") == 1


def test_unreadable_keys_leave_no_room(api: Api) -> None:
    """A tenant whose places are all taken is told that it has too many keys."""
    for slot in range(MAX_KEYS):
        assert api.world.api_keys.put(None, key_factory(slot=slot, digest=f"{slot:064}"))
        later(api, api_key_key(TENANT, slot))
    answer = api.send("POST", "/v1/keys", {})

    assert (answer.status, answer.code) == (409, "too_many_api_keys")


def test_a_tenant_hides_no_other(api: Api) -> None:
    """The administration sees the others, page by page."""
    names = [TenantId(f"tenant-{number}") for number in range(5)]
    for name in names:
        nothing = TenantSettings(tenant=name)
        assert api.world.tenants.put(name, nothing, nothing)
    later(api, tenant_key(names[1]))
    found = listed(api, "/v1/tenants", "tenant")

    assert found == [names[0], *names[2:]]
    assert told(api, "tenant_unreadable") == 1


@pytest.mark.parametrize("damaged", [1, 2, 4])
def test_a_version_of_a_dag_hides_no_other(api: Api, damaged: int) -> None:
    """Pages lead on behind it."""
    made = api.send("POST", "/v1/dags", DAG).body
    for number in range(4):
        change = {"description": f"version {number}"}
        assert api.send("PATCH", f"/v1/dags/{made['dag_id']}", change).status == 200
    (key,) = items_where(api, lambda _, sk: sk == f"dag-version#{damaged:010}")
    later(api, key)
    found = listed(api, f"/v1/dags/{made['dag_id']}/versions", "version")

    assert found == [number for number in (5, 4, 3, 2, 1) if number != damaged]
    assert told(api, "dag_unreadable") == 1


@pytest.mark.parametrize("part", ["rule", "watch"])
def test_a_rule_that_cannot_be_read_is_not_said_to_be_missing(api: Api, part: str) -> None:
    """Its messages are shown where the watch over all rules alone cannot be read."""
    rule = rule_factory(name="ops")
    api.world.rules.put_rule(rule, expected_version=None, now=api.world.clock.now())
    later(api, rule_key(TENANT, rule.rule_id) if part == "rule" else watch_key(TENANT))
    answer = api.send("GET", "/v1/notification-rules/ops/messages")
    missing = api.send("GET", "/v1/notification-rules/other/messages")

    assert answer.status == (500 if part == "rule" else 200)
    assert (missing.status, missing.code) == (404, "rule_not_found")
