"""Kinds of records, and the readers of their items."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tests.contract.shapes.further_items import read_cursor
from tests.support.stores import stored_kinds
from tests.support.stores.stored_kinds import Kind
from timegate.adapters.dynamo.audit_trail.audit_items import entry_from_fields
from timegate.adapters.dynamo.auditing.audit_cursor_items import WALK, walk_from_fields
from timegate.adapters.dynamo.dags.dag_items import dag_from_fields
from timegate.adapters.dynamo.events.trigger_items import hook_from_fields, trigger_from_fields
from timegate.adapters.dynamo.limits.slot_items import (
    LINE_PREFIX,
    SLOT_PREFIX,
    holder_from_fields,
    slots_pk,
    waiter_from_fields,
)
from timegate.adapters.dynamo.restrictions.restriction_items import freeze_from_fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tenants.api_key_items import api_key_from_fields
from timegate.adapters.dynamo.tenants.rules.rule_items import rule_from_fields, watch_from_fields
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.values.tenant import TenantId

TENANT = TenantId("acme")
SLOTS_OF = slots_pk(SlotKey(tenant=TENANT, name=""))


def _under(prefix: str, read: Callable[[Any], Any], *, sort: str = "") -> Kind[Any, Any]:
    """Recognise items by how their keys begin; they are read here alone."""

    def place(item: Mapping[str, Any]) -> str | None:
        is_one = str(item["pk"]).startswith(prefix) and str(item["sk"]).startswith(sort)
        return str(item["pk"]) if is_one else None

    return Kind(table="jobs", place=place, key=_no_key, read=read)


def _dag_place(item: Mapping[str, Any]) -> str | None:
    """Recognise a DAG, and its earlier versions."""
    sort = str(item["sk"]).partition("#")[0]
    return str(item["pk"]) if sort in {"dag", "dag-version"} else None


def _no_key(place: object) -> Key:
    message = f"Nothing is stored under {place}."
    raise TypeError(message)


#: Kinds of records that a tenant or the stage has, by their names.
KINDS: Mapping[str, Kind[Any, Any]] = {
    **{name.lower(): kind for name, kind in vars(stored_kinds).items() if isinstance(kind, Kind)},
    "slots": _under(SLOTS_OF, holder_from_fields, sort=f"{SLOT_PREFIX}0"),
    "waiters": _under(SLOTS_OF, waiter_from_fields, sort=LINE_PREFIX),
    "shard_cursors": _under("shard#", read_cursor),
    "audit_walks": _under(WALK, walk_from_fields),
    "dags": Kind(table="jobs", place=_dag_place, key=_no_key, read=dag_from_fields),
    "rules": _under(f"{TENANT}#rules", rule_from_fields, sort="rule#"),
    "rule_watches": _under(f"{TENANT}#rules", watch_from_fields, sort="rule-watch"),
    "event_triggers": _under(
        f"{TENANT}#event-triggers", partial(trigger_from_fields, TENANT), sort="trigger#"
    ),
    "hooks": _under("#hooks#", hook_from_fields),
    "freezes": _under(f"{TENANT}#restrictions", freeze_from_fields, sort="freeze#"),
    "api_keys": _under(f"{TENANT}#api-keys", api_key_from_fields, sort="api-key#"),
    "audit_trail": _under(f"{TENANT}#audit#", entry_from_fields),
}
