"""Reading a ledger page by page, whatever its gaps are like."""

import pytest

from tests.support.api import api_services
from tests.support.factories import (
    EVERY_MINUTE,
    JOB_ID,
    TENANT,
    after,
    attempt_factory,
    gap_factory,
)
from tests.support.world import World
from timegate.domain.ledger.damaged_records import DamagedGap, DamagedRun
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import LedgerRange, Record
from timegate.domain.runs.run import Attempt
from timegate.ports.stores import Page
from timegate.usecases.ledger import read_ledger as reading
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger

RANGE = LedgerRange(start=after(0), end=after(3600))


@pytest.fixture
def world() -> World:
    """Twelve gaps of one minute each that touch, a run, an instant missed, and a gap."""
    world = World()
    world.add_job(schedule=EVERY_MINUTE)
    for minute in (*range(12), 14):
        instant = after(minute * 60)
        world.tables.put_gap(gap_factory(first=instant, last=instant, count=1))
    world.runs.insert_all([attempt_factory(due_at=after(720))])
    return world


def page(world: World, *, limit: int, cursor: str | None = None) -> Page[Record]:
    """One page of the hour."""
    services = api_services(world)
    return read_ledger(TENANT, JOB_ID, RANGE, services, limit=limit, cursor=cursor)


def told(record: Record) -> tuple[str, int]:
    """A record in a few words."""
    match record:
        case Gap():
            return "gap", record.count
        case Attempt():
            return "run", 1
        case DamagedRun():
            return "damaged run", 1
        case DamagedGap():
            return "damaged gap", 1


@pytest.mark.parametrize("limit", [1, 2, 3, 500])
def test_gaps_that_touch_are_shown_as_one(world: World, limit: int) -> None:
    """Also when they are more than a page has rows; a missed instant stays visible."""
    shown: list[Record] = []
    cursor: str | None = None
    while True:
        found = page(world, limit=limit, cursor=cursor)
        shown += found.rows
        cursor = found.cursor
        if cursor is None:
            break

    assert [told(record) for record in shown] == [("gap", 12), ("run", 1), ("gap", 1)]


def test_one_request_reads_no_more_than_its_share(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gap that is longer than that is shown in two parts, and no instant is lost."""
    monkeypatch.setattr(reading, "MAX_RECORDS_READ", 5)
    first = page(world, limit=500)
    second = page(world, limit=500, cursor=first.cursor)

    assert [told(record) for record in (*first.rows, *second.rows)] == [("gap", 5), ("gap", 5)]
    assert isinstance(second.rows[0], Gap)
    assert second.rows[0].first == after(300)


def test_pages_go_on_around_what_cannot_be_read() -> None:
    """A damaged run among runs; a damaged gap where it ends, behind the runs that lie in it."""
    world = World()
    world.add_job(schedule=EVERY_MINUTE)
    gaps = [gap_factory(first=after(60 * n), last=after(60 * n + 120), count=3) for n in (0, 6)]
    attempts = [attempt_factory(due_at=after(60 * n)) for n in (1, 3, 4)]
    for gap in gaps:
        world.tables.put_gap(gap)
    world.runs.insert_all(attempts)
    world.tables.damaged.add((TENANT, attempts[1].id))
    world.tables.damaged_gaps[TENANT, JOB_ID, gaps[0].last, 1] = True
    told_by_size = {}
    for limit in (1, 2, 500):
        shown: list[Record] = []
        cursor: str | None = None
        while True:
            found = page(world, limit=limit, cursor=cursor)
            shown += found.rows
            cursor = found.cursor
            if cursor is None:
                break
        told_by_size[limit] = [told(record) for record in shown]

    whole = [("run", 1), ("damaged gap", 1), ("damaged run", 1), ("run", 1), ("gap", 3)]
    assert told_by_size == dict.fromkeys((1, 2, 500), whole)


@pytest.fixture
def filled() -> World:
    """Sixty minutes that an outage left out, of which three were run later."""
    world = World()
    world.add_job(schedule=EVERY_MINUTE)
    world.tables.put_gap(gap_factory(first=after(0), last=after(3540), count=60))
    world.runs.insert_all([attempt_factory(due_at=after(60 * n)) for n in (10, 11, 59)])
    return world


WHOLE = [("gap", 10), ("run", 1), ("run", 1), ("gap", 47), ("run", 1)]


@pytest.mark.parametrize("limit", [1, 2, 3, 500])
def test_a_gap_is_shown_around_the_runs_that_came_later(filled: World, limit: int) -> None:
    """Page by page: no instant is counted twice, and none is lost."""
    shown: list[Record] = []
    cursor: str | None = None
    while True:
        found = page(filled, limit=limit, cursor=cursor)
        shown += found.rows
        cursor = found.cursor
        if cursor is None:
            break

    assert [told(record) for record in shown] == WHOLE


@pytest.mark.parametrize(
    ("minutes", "shown"),
    [
        pytest.param((0, 9), [("gap", 10)], id="before the first run"),
        pytest.param((5, 9), [("gap", 10)], id="whole as far as there is no run"),
        pytest.param((12, 58), [("gap", 47)], id="between runs"),
        pytest.param((20, 30), [("gap", 11)], id="runs on both sides"),
        pytest.param((5, 10), [("gap", 10), ("run", 1)], id="up to a run"),
        pytest.param((59, 90), [("run", 1)], id="the last"),
    ],
)
def test_a_range_shows_no_instant_that_has_a_run(
    filled: World, minutes: tuple[int, int], shown: list[tuple[str, int]]
) -> None:
    """A gap that reaches beyond the range is shown whole only if no run lies there."""
    first, last = minutes
    wanted = LedgerRange(start=after(60 * first), end=after(60 * last))
    found = read_ledger(TENANT, JOB_ID, wanted, api_services(filled), limit=500, cursor=None)

    assert [told(record) for record in found.rows] == shown


@pytest.mark.parametrize(
    ("minute", "part"),
    [
        pytest.param(0, (0, 9, 10), id="its first"),
        pytest.param(9, (0, 9, 10), id="the last before a run"),
        pytest.param(12, (12, 58, 47), id="the first behind one"),
        pytest.param(58, (12, 58, 47), id="its last"),
    ],
)
def test_an_instant_is_explained_by_the_part_it_is_in(
    filled: World, minute: int, part: tuple[int, int, int]
) -> None:
    """The ledger shows the same parts: a run that came later counts by itself."""
    services = api_services(filled)
    found = explain_instant(TENANT, JOB_ID, after(60 * minute), services, now=after(7200))
    record = found.account.record

    assert isinstance(record, Gap)
    first, last, count = part
    assert (record.first, record.last) == (after(60 * first), after(60 * last))
    assert record.count == count
