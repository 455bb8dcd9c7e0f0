"""Items that a later release wrote for readers that know more: refused, and left as they are.

The earlier release meets them in a canary, or after it was gone back to.
"""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.contract.shapes.known_kinds import KINDS
from tests.contract.shapes.written_items import fields_of, written
from tests.support.factories import JOB_ID, TENANT, after
from tests.support.stores.contract_stores import MINUTE, SHARD, Stores
from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.reading import LATEST_SHAPE, SHAPE
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.values.errors import JobDamaged, Malformed
from timegate.ports.stores import Unreadable

LATER = {SHAPE: LATEST_SHAPE + 1}
WHY = f"{SHAPE}: {LATEST_SHAPE + 1} is later than {LATEST_SHAPE}"
#: Marks and numbers that are written one by one, so that no writer drops what it does not know.
MARKS = {"waiters", "shard_cursors", "used_until"}


def cases() -> list[Any]:
    """One item of each kind, as this release writes it."""
    return [
        pytest.param(kind, fields_of(items[0]), id=kind)
        for kind, items in sorted(written().items())
        if kind not in MARKS
    ]


@pytest.mark.parametrize(("kind", "fields"), cases())
def test_an_item_of_a_later_shape_is_refused(kind: str, fields: Mapping[str, Any]) -> None:
    """By the reader of every kind, and read where the shape is one that it knows."""
    read = KINDS[kind].read

    with pytest.raises(Malformed, match=WHY):
        read({**fields, **LATER})

    assert read({**fields, SHAPE: LATEST_SHAPE}) == read(fields)


@pytest.mark.parametrize("part", ["standing", "plan", "work"])
def test_a_part_of_a_later_shape_is_refused(part: str) -> None:
    """The index by which planners read a job has its maps, and no further attribute."""
    fields = fields_of(written()["jobs"][0])

    with pytest.raises(Malformed, match=WHY):
        KINDS["jobs"].read({**fields, part: {**fields.get(part, {}), **LATER}})


def test_a_job_of_a_later_shape_is_put_off_and_kept(stores: Stores) -> None:
    """The planner reads it off the index and moves it; no reader gets it to write it anew."""
    table, key = stores.jobs._table, job_key(TENANT, stores.add_job().job_id)  # type: ignore[attr-defined]
    stores.engine.write(Update(table=table, key=key, within=("plan",), fields=LATER, where={}))
    before = stores.engine.get(table, key)
    (found,) = stores.jobs.due(MINUTE, SHARD)
    with pytest.raises(JobDamaged) as refused:
        stores.jobs.get(TENANT, JOB_ID)
    assert isinstance(found, Unreadable)
    assert stores.jobs.put_off(found, minute=MINUTE, shard=SHARD, until=after(1200))
    stored = stores.engine.get(table, key)

    assert WHY in found.reason
    assert WHY in refused.value.reason
    assert refused.value.code == "job_damaged"
    assert before is not None
    assert stored is not None
    moved = ("due_bucket", "due_at")
    assert {**stored, **{name: before[name] for name in moved}} == before


def test_this_release_writes_no_later_shape_than_it_reads() -> None:
    """A shape that is written is first read, one release before."""
    shapes = [item[SHAPE] for items in written().values() for item in items if SHAPE in item]

    assert all(int(shape["N"]) <= LATEST_SHAPE for shape in shapes)
