"""Items as the present code writes them: every kind of record of a tenant that has everything.

    export PYTHONPATH=functions
    python -m tests.contract.shapes.written_items > tests/contract/shapes/2.json

A shape is written once, and never again: later code reads it as it was.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.contract.shapes.further_items import add_what_the_stage_writes, read_cursor
from tests.support.stores import stored_kinds
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.stores.stored_kinds import Kind
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.auditing.audit_cursor_items import WALK, walk_from_fields
from timegate.adapters.dynamo.limits.slot_items import (
    LINE_PREFIX,
    SLOT_PREFIX,
    holder_from_fields,
    slots_pk,
    waiter_from_fields,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import from_item, to_item
from timegate.domain.limits.overlap import SlotKey
from timegate.domain.values.tenant import TenantId

HERE = Path(__file__).parent
TENANT = TenantId("acme")
SLOTS_OF = slots_pk(SlotKey(tenant=TENANT, name=""))
_TABLES = {"jobs": JOBS_TABLE, "runs": RUNS_TABLE}
Items = dict[str, list[dict[str, Any]]]


def _under(prefix: str, read: Callable[[Any], Any], *, sort: str = "") -> Kind[Any, Any]:
    """Recognise items by how their keys begin; they are read here alone."""

    def place(item: Mapping[str, Any]) -> str | None:
        is_one = str(item["pk"]).startswith(prefix) and str(item["sk"]).startswith(sort)
        return str(item["pk"]) if is_one else None

    return Kind(table="jobs", place=place, key=_no_key, read=read)


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
}


def written() -> Items:
    """Return what a tenant with one of everything has in the tables, in DynamoDB's form."""
    world = World()
    inhabit(world, "acme")
    add_what_the_stage_writes(world, TENANT)
    found: Items = {}
    for name, kind in KINDS.items():
        items = world.tables.engine.items(_TABLES[kind.table])
        mine = [to_item(item) for item in items if kind.place(item) is not None]
        if mine:
            found[name] = sorted(mine, key=lambda item: (item["pk"]["S"], item["sk"]["S"]))
    return found


def stored(shape: Path) -> Items:
    """Read the items of a shape."""
    found: Items = json.loads(shape.read_text())
    return found


def fields_of(item: dict[str, Any]) -> dict[str, Any]:
    """Return an item's fields as readers are given them."""
    return from_item(item)


def main() -> None:
    """Print the present shape."""
    json.dump(written(), sys.stdout, indent=1, sort_keys=True, default=sorted)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
