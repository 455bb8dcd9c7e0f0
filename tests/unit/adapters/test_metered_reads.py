"""Read units as AWS bills them: 4 KB that are begun, half where a read need not be consistent."""

import pytest

from tests.support.execution.metered import MeteredEngine
from timegate.adapters.dynamo.tables.engine import Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Put

KEY = Key(pk="tenant", sk="item")
UNIT = 4 * 1024


def engine_with(*sizes: int) -> MeteredEngine:
    """Items of one partition, each of so many bytes."""
    engine = MeteredEngine()
    for number, size in enumerate(sizes):
        item = {"pk": KEY.pk, "sk": f"{KEY.sk}{number}", "text": ""}
        item["text"] = "x" * (size - size_of(item))
        engine.put_all("jobs", [Put(table="jobs", fields=item)])
    engine.reset()
    return engine


@pytest.mark.parametrize(("size", "units"), [(UNIT, 1), (UNIT + 1, 2)])
def test_an_item_bills_each_unit_that_it_begins(size: int, units: int) -> None:
    """A single item, strongly consistent."""
    engine = engine_with(size)
    engine.get("jobs", Key(pk=KEY.pk, sk=f"{KEY.sk}0"))

    assert engine.read_units == units


def test_an_item_that_is_not_there_bills_one() -> None:
    """DynamoDB has to look."""
    engine = engine_with()
    engine.get("jobs", KEY)
    engine.get_all({"jobs": [KEY]})

    assert engine.read_units == 2


@pytest.mark.parametrize(("consistent", "units"), [(True, 2), (False, 1)])
def test_a_query_bills_the_sum_of_its_items(units: float, *, consistent: bool) -> None:
    """Three items of half a unit are two units, also those that a filter leaves out."""
    engine = engine_with(UNIT // 2, UNIT // 2, UNIT // 2)
    query = Query(table="jobs", of=KEY.pk, consistent=consistent, only={"text": ("none",)})

    assert engine.query(query).items == []
    assert engine.read_units == units
