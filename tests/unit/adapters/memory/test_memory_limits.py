"""The engine in memory refuses what DynamoDB refuses, and ends pages where it ends them."""

import pytest

from timegate.adapters.dynamo.tables.engine import Query, Scan, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.limits import (
    MAX_ITEM_BYTES,
    MAX_OPERANDS,
    MAX_TRANSACTION_BYTES,
    PAGE_BYTES,
    LimitExceeded,
)
from timegate.adapters.dynamo.tables.values import Plain, size_of
from timegate.adapters.dynamo.tables.writes import Insert, Put, Update
from timegate.adapters.memory.engine import MemoryEngine

TABLE = "runs"


@pytest.fixture
def engine() -> MemoryEngine:
    return MemoryEngine()


def item(sk: str, size: int = 0, pk: str = "acme") -> dict[str, Plain]:
    """An item of so many bytes, or of few."""
    fields: dict[str, Plain] = {"pk": pk, "sk": sk, "text": ""}
    return {**fields, "text": "x" * max(size - size_of(fields), 1)}


def store(engine: MemoryEngine, *items: dict[str, Plain]) -> None:
    engine.put_all(TABLE, [Put(table=TABLE, fields=each) for each in items])


def test_an_item_has_400_kilobytes_at_most(engine: MemoryEngine) -> None:
    """Also one that grows by an update."""
    store(engine, item("a", MAX_ITEM_BYTES))
    grows = Update(table=TABLE, key=Key(pk="acme", sk="a"), fields={"more": "x"}, where={})

    with pytest.raises(LimitExceeded, match="acme b"):
        store(engine, item("b", MAX_ITEM_BYTES + 1))
    with pytest.raises(LimitExceeded, match="acme a"):
        engine.write(grows)
    assert [each["sk"] for each in engine.items(TABLE)] == ["a"]


def test_the_items_of_a_transaction_have_4_megabytes_at_most(engine: MemoryEngine) -> None:
    """One byte more, and nothing is written."""
    whole = [MAX_ITEM_BYTES] * 10 + [MAX_TRANSACTION_BYTES - 10 * MAX_ITEM_BYTES]
    inserts = [Insert(table=TABLE, fields=item(f"{n:02}", size)) for n, size in enumerate(whole)]
    larger = Insert(table=TABLE, fields=item("10", whole[-1] + 1))

    with pytest.raises(LimitExceeded, match="4194305"):
        engine.transact([*inserts[:-1], larger])
    assert engine.items(TABLE) == []
    assert engine.transact(inserts) == []


def test_a_page_ends_behind_the_item_that_reaches_a_megabyte(engine: MemoryEngine) -> None:
    """The rest follows, of queries and scans, and items that a filter leaves out count as well."""
    store(engine, *[item(str(n), PAGE_BYTES // 4) for n in range(6)])
    query = Query(table=TABLE, of="acme", without={"sk": ["1"]})
    page, scanned = engine.query(query), engine.scan(Scan(table=TABLE, segment=0, of=1))

    assert [each["sk"] for each in page.items] == ["0", "2", "3"]
    assert page.last is not None
    assert len(scanned.items) == 4
    assert [each["sk"] for each in rows(engine, query)] == ["0", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("pk", "sk"), [("é" * 1_024, "é" * 512), ("p", "s"), ("p" * 2_048, "s" * 1_024)]
)
def test_keys_are_counted_in_bytes(engine: MemoryEngine, pk: str, sk: str) -> None:
    """A partition's has 2,048 at most, and a sort key 1,024."""
    store(engine, item(sk, pk=pk))

    if len(pk) > 1:
        with pytest.raises(LimitExceeded):
            store(engine, item(sk, pk=f"{pk}p"))
        with pytest.raises(LimitExceeded):
            store(engine, item(f"{sk}s", pk=pk))
    assert len(engine.items(TABLE)) == 1


def test_an_index_is_not_read_consistently(engine: MemoryEngine) -> None:
    with pytest.raises(LimitExceeded, match="due"):
        engine.query(Query(table=TABLE, of="acme", index="due", consistent=True))


def test_a_filter_compares_with_a_hundred_values(engine: MemoryEngine) -> None:
    values = [str(n) for n in range(MAX_OPERANDS + 1)]

    assert engine.query(Query(table=TABLE, of="acme", only={"sk": values[1:]})).count == 0
    with pytest.raises(LimitExceeded):
        engine.query(Query(table=TABLE, of="acme", only={"sk": values}))
    with pytest.raises(LimitExceeded):
        engine.query(Query(table=TABLE, of="acme", without={"sk": values}))


def test_the_stream_shows_what_is_deleted(engine: MemoryEngine) -> None:
    """Once each, and nothing of items that are not there; a batch names no key twice."""
    store(engine, item("a"), item("b"))
    keys = [Key(pk="acme", sk=sk) for sk in ("a", "c")]
    shown = len(engine.changes)
    engine.delete_all(TABLE, keys)
    (change,) = engine.changes[shown:]

    assert (change.key, change.after) == (keys[0], None)
    with pytest.raises(ValueError, match="twice"):
        engine.delete_all(TABLE, keys * 2)
