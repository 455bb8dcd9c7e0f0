"""Listings say which of their records cannot be read, and go on around them."""

from collections.abc import Callable

import pytest

from tests.support.api import Api
from tests.support.event_triggers.triggering import settle, trigger_factory
from tests.support.factories import (
    NOW,
    TENANT,
    calendar_factory,
    freeze_factory,
    stage_freeze_factory,
)
from tests.support.operations.started_operations import operation_factory
from tests.support.ruling import rule_factory
from tests.support.stores.records import JOBS_TABLE
from tests.support.tenants.api_keys import key_factory
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import LATEST_SHAPE, SHAPE
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import ADMINISTRATION, TenantId


def calendar(api: Api) -> str:
    api.world.restrictions.put_calendar(TENANT, calendar_factory(), expected_version=None)
    return f"{TENANT}#restrictions"


def freeze(api: Api) -> str:
    api.world.restrictions.put_freeze(TENANT, freeze_factory(), now=NOW)
    return f"{TENANT}#restrictions"


def stage_freeze(api: Api) -> str:
    api.world.restrictions.put_freeze(ADMINISTRATION, stage_freeze_factory(), now=NOW)
    return f"{ADMINISTRATION}#restrictions"


def rule(api: Api) -> str:
    api.world.rules.put_rule(rule_factory(name="ops"), expected_version=None, now=NOW)
    return f"{TENANT}#rules"


def event_trigger(api: Api) -> str:
    settle(api.world, trigger_factory())
    return f"{TENANT}#event-triggers"


def key(api: Api) -> str:
    assert api.world.api_keys.put(None, key_factory())
    return f"{TENANT}#api-keys"


def operation(api: Api) -> str:
    api.world.operations.create(operation_factory())
    return f"{TENANT}#operation"


def tenant(api: Api) -> str:
    settings = TenantSettings(tenant=TenantId("initech"))
    assert api.world.tenants.put(settings.tenant, settings, settings)
    return "tenants"


LISTS: list[tuple[str, Callable[[Api], str]]] = [
    ("/v1/calendars", calendar),
    ("/v1/freezes", freeze),
    ("/v1/stage/freezes", stage_freeze),
    ("/v1/notification-rules", rule),
    ("/v1/event-triggers", event_trigger),
    ("/v1/keys", key),
    ("/v1/operations", operation),
    ("/v1/tenants", tenant),
]


def damage(api: Api, partition: str) -> None:
    """Make the records of a partition such as a later release writes, but for their lists."""
    tables = api.world.tables
    for item in list(tables.engine.items(JOBS_TABLE)):
        pk, sk = str(item["pk"]), str(item["sk"])
        if pk.startswith(partition) and sk not in {"in_force", "names", "watch"}:
            tables.edit(JOBS_TABLE, Key(pk=pk, sk=sk), {SHAPE: LATEST_SHAPE + 1})


@pytest.mark.parametrize(("path", "make"), LISTS, ids=[path for path, _ in LISTS])
def test_a_list_says_what_it_leaves_out(api: Api, path: str, make: Callable[[Api], str]) -> None:
    """A caller sees that something is missing; where all can be read there is no such member."""
    partition = make(api)
    whole = api.send("GET", path).body
    damage(api, partition)
    left = api.send("GET", path).body

    assert (len(whole["items"]), "damaged" in whole) == (1, False)
    assert left["items"] == []
    assert left["damaged"]["count"] == len(left["damaged"]["names"]) == 1
