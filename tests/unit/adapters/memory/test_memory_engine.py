"""The engine in memory: order, pages, conditions, transactions and changes as DynamoDB has them."""

from collections.abc import Mapping

import pytest

from timegate.adapters.dynamo.tables.engine import MAX_MEMBERS, Query, Refusal, Scan, rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import (
    Compared,
    Count,
    Insert,
    Put,
    Replace,
    Update,
    Where,
    WriteResult,
)
from timegate.adapters.memory.engine import MemoryEngine

TABLE = "runs"
KEY = Key(pk="acme#job", sk="1")
REFUSED = Refusal(code="ConditionalCheckFailed")
WRITTEN = Refusal(code="None")


@pytest.fixture
def engine() -> MemoryEngine:
    """One item, and a neighbour on either side of it in its partition."""
    engine = MemoryEngine()
    items = [{"pk": KEY.pk, "sk": sk, "fence": 1} for sk in ("0", "1", "2")]
    engine.put_all(TABLE, [Put(table=TABLE, fields=item) for item in items])
    return engine


def update(where: Where | None = None, **fields: Plain) -> Update:
    return Update(table=TABLE, key=KEY, fields=fields, where=where or {}, shows_refused=True)


def found(engine: MemoryEngine) -> Mapping[str, Plain]:
    item = engine.get(TABLE, KEY)
    assert item is not None
    return item


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (1, True),
        (2, False),
        # DynamoDB has truth values that are no numbers.
        (True, False),
        (None, False),
        (Compared(equal=1), True),
        (Compared(at_most=1), True),
        (Compared(at_most=0), False),
        (Compared(below=2), True),
        (Compared(below=1), False),
        (Compared(above=0), True),
        (Compared(above=1), False),
        (Compared(above=0, at_most=1), True),
        (Compared(above=0, below=1), False),
    ],
)
def test_an_update_is_written_where_its_condition_holds(
    engine: MemoryEngine, wanted: "Plain | Compared", *, holds: bool
) -> None:
    """A refusal shows the item that it met, and changes nothing."""
    before = found(engine)
    result = engine.write(update({"fence": wanted}, owner="a"))

    assert result == (
        WriteResult(done=True) if holds else WriteResult(done=False, found=dict(before))
    )
    assert found(engine) == ({**before, "owner": "a"} if holds else before)


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (None, True),
        (1, False),
        (Compared(at_most=1), False),
        (Compared(at_most=1, or_missing=True), True),
        (Compared(equal=1, or_missing=True), True),
    ],
)
def test_a_missing_field_satisfies_only_what_allows_it(
    engine: MemoryEngine, wanted: "Plain | Compared", *, holds: bool
) -> None:
    """No bound holds for nothing."""
    assert engine.write(update({"owner": wanted}, owner="a")).done is holds


def test_an_alternative_holds_instead(engine: MemoryEngine) -> None:
    """Either is enough, and one of them is needed."""
    for other, done in (({"fence": 1}, True), ({"fence": 2}, False)):
        write = Update(table=TABLE, key=KEY, fields={"a": 1}, where={"fence": 9}, or_where=other)

        assert engine.write(write).done is done


def test_only_a_write_that_creates_makes_an_item(engine: MemoryEngine) -> None:
    """An update of nothing is refused, whatever it compares."""
    absent = Key(pk="acme#other", sk="1")
    for creates in (False, True):
        write = Update(table=TABLE, key=absent, fields={"a": 1}, where={}, creates=creates)

        assert engine.write(write).done is creates
    assert engine.get(TABLE, absent) == {"pk": "acme#other", "sk": "1", "a": 1}


def test_an_update_adds_appends_and_takes_away(engine: MemoryEngine) -> None:
    """A missing attribute counts as zero or empty; an emptied set is removed."""
    first = Update(
        table=TABLE,
        key=KEY,
        fields={"fence": None},
        added={"count": 2, "ended": frozenset({1, 2})},
        appended={"tokens": ["a"]},
        first={"began": "x"},
        where={},
    )
    second = Update(
        table=TABLE,
        key=KEY,
        fields={},
        added={"count": -1},
        appended={"tokens": ["b"]},
        first={"began": "y"},
        taken={"ended": frozenset({1, 2, 3})},
        where={},
        shows_stored=True,
    )
    engine.write(first)

    expected = {"pk": KEY.pk, "sk": "1", "count": 1, "tokens": ["a", "b"], "began": "x"}
    assert engine.write(second).stored == expected


def test_fields_of_a_map_within_are_compared_and_set(engine: MemoryEngine) -> None:
    """The item that was read before stays as it was read."""
    engine.write(update(holders={"a": {"owner": "w", "until": "1"}}))
    before = found(engine)
    write = Update(
        table=TABLE,
        key=KEY,
        fields={"until": "2"},
        within=("holders", "a"),
        where={"owner": "w", "until": Compared(above="0")},
    )

    assert engine.write(write).done
    assert found(engine)["holders"] == {"a": {"owner": "w", "until": "2"}}
    assert before["holders"] == {"a": {"owner": "w", "until": "1"}}


@pytest.mark.parametrize(("by", "done"), [(3, True), (4, False)])
def test_a_count_stays_within_its_bound(engine: MemoryEngine, by: int, *, done: bool) -> None:
    """Nothing was counted before: up to the bound there is room."""
    count = Count(table=TABLE, key=Key(pk="acme#days", sk="1"), at_most=3, by=by)

    assert engine.write(count).done is done


def test_a_transaction_is_written_whole_or_not_at_all(engine: MemoryEngine) -> None:
    """Each member says whether it was refused; only what asked shows the item it met."""
    new = Insert(table=TABLE, fields={"pk": "acme#new", "sk": "1"})
    there = Insert(table=TABLE, fields={"pk": KEY.pk, "sk": "0"})
    other = Replace(table=TABLE, fields={"pk": KEY.pk, "sk": "2"}, where={"fence": 1})

    assert engine.transact([new, there, other]) == [WRITTEN, REFUSED, WRITTEN]
    assert engine.get(TABLE, Key(pk="acme#new", sk="1")) is None
    assert engine.transact([new, other]) == []
    assert engine.get(TABLE, Key(pk=KEY.pk, sk="2")) == {"pk": KEY.pk, "sk": "2"}


def test_no_transaction_names_an_item_twice_or_too_many(engine: MemoryEngine) -> None:
    """DynamoDB refuses both as mistakes of the caller's."""
    many = [
        Insert(table=TABLE, fields={"pk": "acme#new", "sk": str(n)}) for n in range(MAX_MEMBERS + 1)
    ]

    with pytest.raises(ValueError, match="twice"):
        engine.transact([update(a=1), update(b=1)])
    with pytest.raises(ValueError, match="members"):
        engine.transact(many)
    assert engine.transact(many[:-1]) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, "012"),
        ({"latest_first": True}, "210"),
        ({"first": "1"}, "12"),
        ({"last": "1"}, "01"),
        ({"first": "1", "last": "1"}, "1"),
        ({"prefix": "2"}, "2"),
        ({"only": {"sk": ["1", "2"]}}, "12"),
        ({"without": {"sk": ["1"]}}, "02"),
    ],
)
@pytest.mark.parametrize("limit", [None, 1, 3])
def test_a_query_goes_through_a_partition_in_order(
    engine: MemoryEngine, query: dict[str, object], expected: str, limit: int | None
) -> None:
    """Page by page it is the same."""
    asked = Query(table=TABLE, of=KEY.pk, limit=limit, **query)  # type: ignore[arg-type]

    assert "".join(str(item["sk"]) for item in rows(engine, asked)) == expected


def test_a_page_that_is_full_ends_before_it_knows_what_follows(engine: MemoryEngine) -> None:
    """The next one is empty then."""
    page = engine.query(Query(table=TABLE, of=KEY.pk, limit=3))
    rest = engine.query(Query(table=TABLE, of=KEY.pk, limit=3, after=page.last))

    assert (page.count, page.last) == (3, {"pk": KEY.pk, "sk": "2"})
    assert (rest.count, rest.last) == (0, None)


def test_an_index_shows_what_has_its_attributes_and_no_more_than_it_projects(
    engine: MemoryEngine,
) -> None:
    """An item that loses one of them leaves the index."""
    asked = Query(table=TABLE, of="lane", index="pool")
    engine.write(update(pool_lane="lane", offered_at="1", handler="sales", owner="w"))
    shown = engine.query(asked)
    engine.write(update(offered_at=None))

    keys = {"pk": KEY.pk, "sk": "1", "pool_lane": "lane", "offered_at": "1"}
    assert list(shown.items) == [{**keys, "handler": "sales"}]
    assert engine.query(asked).count == 0


def test_segments_share_a_table_among_them(engine: MemoryEngine) -> None:
    """Every item is in one of them."""
    others = [Put(table=TABLE, fields={"pk": f"p{n}", "sk": "1"}) for n in range(20)]
    engine.put_all(TABLE, others)
    found = [
        item["pk"]
        for segment in range(4)
        for item in engine.scan(Scan(table=TABLE, segment=segment, of=4)).items
    ]

    assert sorted(map(str, found)) == sorted([KEY.pk] * 3 + [f"p{n}" for n in range(20)])


def test_changes_are_shown_in_order_with_both_images(engine: MemoryEngine) -> None:
    """A write that changes nothing, or was refused, is no change."""
    begun = len(engine.changes)
    before = found(engine)
    engine.write(update(owner="a"))
    engine.write(update(owner="a"))
    engine.write(update({"fence": 9}, owner="b"))
    engine.remove(TABLE, KEY)

    after = {**before, "owner": "a"}
    shown = [(change.before, change.after) for change in engine.changes[begun:]]
    assert shown == [(before, after), (after, None)]


@pytest.mark.parametrize(
    "fields",
    [{"ended": frozenset[int]()}, {"watch_bucket": "b", "watch_at": 1}],
    ids=["empty-set", "number-as-a-key"],
)
def test_what_dynamodb_stores_not_is_an_error(
    engine: MemoryEngine, fields: Mapping[str, Plain]
) -> None:
    """It would be one on AWS."""
    with pytest.raises(TypeError):
        engine.write(Update(table=TABLE, key=KEY, fields=fields, where={}))
