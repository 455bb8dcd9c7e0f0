"""Items as the present code writes them: every kind of record of a tenant that has everything.

    export PYTHONPATH=functions
    python -m tests.contract.shapes.written_items > build/shape.json

What it prints is the next shape: kinds that have another form than in those before. A shape is
written once, and never again: later code reads it as it was.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tests.contract.shapes.further_items import add_what_the_stage_writes
from tests.contract.shapes.known_kinds import KINDS, TENANT
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.sample_tenant import inhabit
from tests.support.world import World
from timegate.adapters.dynamo.tables.values import from_item, to_item

HERE = Path(__file__).parent
_TABLES = {"jobs": JOBS_TABLE, "runs": RUNS_TABLE}
Items = dict[str, list[dict[str, Any]]]


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


def new_form() -> Items:
    """Return the kinds that have an attribute which no shape has, or are in none."""
    known: dict[str, set[str]] = {}
    for shape in HERE.glob("*.json"):
        for kind, items in stored(shape).items():
            known.setdefault(kind, set()).update(*items)
    return {
        kind: items
        for kind, items in written().items()
        if not set().union(*items) <= known.get(kind, set())
    }


def main() -> None:
    """Print the present shape."""
    json.dump(new_form(), sys.stdout, indent=1, sort_keys=True, default=sorted)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
