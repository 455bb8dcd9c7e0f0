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
from timegate.domain.ledger import Gap
from timegate.domain.ledger_reading import LedgerRange, Record
from timegate.domain.run import Attempt
from timegate.ports.stores import Page
from timegate.usecases import read_ledger as reading
from timegate.usecases.read_ledger import read_ledger

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
    return ("run", 1) if isinstance(record, Attempt) else ("gap", record.count)


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
