"""Queries whose bounds hold no key: DynamoDB refuses one of which the last is before the first."""

from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Query, Rows, rows


def test_bounds_that_hold_no_key_cost_no_call(stubbed: Stubbed) -> None:
    """A forged cursor may ask for them. The stubbed client would refuse a call."""
    client, _ = stubbed("dynamodb")
    engine = BotoEngine(client)
    query = Query(table="jobs", of="acme", first="calendar#b", last="calendar#a")

    assert engine.query(query) == Rows(items=(), count=0)
    assert list(rows(engine, query)) == []


def test_bounds_that_meet_are_asked_about(stubbed: Stubbed) -> None:
    """They hold one key, and one bound alone holds many."""
    client, stubber = stubbed("dynamodb")
    engine = BotoEngine(client)
    for first, last in (("a", "a"), ("b", None), (None, "a"), (None, None)):
        stubber.add_response("query", {"Items": [], "Count": 0})

        assert engine.query(Query(table="jobs", of="acme", first=first, last=last)).count == 0
