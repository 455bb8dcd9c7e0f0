"""The ledger, counted: each instant once, whatever ran it later and whatever named it."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.ledger.ledger_story import expected_of, ledger_stories, named_in
from tests.property.planning.planning_oracle import recover
from tests.property.planning.planning_story import Story
from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.ledger.damaged_records import DamagedGap
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import LedgerRange, Record
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger

BEFORE = NOW - timedelta(hours=3)


def ledger_of(story: Story, limit: int) -> list[Record]:
    """All of it, page by page."""
    wanted = LedgerRange(start=BEFORE, end=story.world.clock.now() + timedelta(days=3))
    records: list[Record] = []
    cursor: str | None = None
    while True:
        services = api_services(story.world)
        page = read_ledger(TENANT, JOB_ID, wanted, services, limit=limit, cursor=cursor)
        records += page.rows
        cursor = page.cursor
        if cursor is None:
            return records


def told(story: Story, records: list[Record]) -> list[datetime]:
    """The instants of all records, one by one; a gap's are those that it says it counts."""
    runs = {each.id.run.scheduled_at for each in story.world.attempts()}
    instants: list[datetime] = []
    for record in records:
        assert not isinstance(record, DamagedGap)
        if not isinstance(record, Gap):
            instants.append(record.id.run.scheduled_at)
            continue
        own = named_in(story, record.first, record.last) - runs
        assert {record.first, record.last} <= own
        assert record.count == len(own)
        instants += sorted(own)
    return instants


@settings(max_examples=some(150))
@given(story=ledger_stories(), limit=st.sampled_from([1, 3, 500]))
def test_the_ledger_counts_every_instant_once(story: Story, limit: int) -> None:
    """With gaps of schedules that are gone, runs in them, and what was left out ahead."""
    recover(story)
    instants = told(story, ledger_of(story, limit))

    assert instants == sorted(expected_of(story))


@settings(max_examples=some(80))
@given(story=ledger_stories(), data=st.data())
def test_an_instant_is_explained_by_its_one_record(story: Story, data: st.DataObject) -> None:
    """The run, or the part of a gap in which no run lies."""
    recover(story)
    instants = sorted(expected_of(story))
    if not instants:
        return
    at = data.draw(st.sampled_from(instants))
    now = story.world.clock.now()
    account = explain_instant(TENANT, JOB_ID, at, api_services(story.world), now=now).account
    runs = {each.id.run.scheduled_at for each in story.world.attempts()}

    assert account.verdict is (Verdict.RUN if at in runs else Verdict.GAP)
    if isinstance(account.record, Gap):
        told(story, [account.record])
        assert account.record.first <= at <= account.record.last
