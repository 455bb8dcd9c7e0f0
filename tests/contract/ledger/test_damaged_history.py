"""Unreadable records of instants: told from their neighbours, which are all there."""

import pytest

from tests.support.factories import (
    JOB_ID,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    gap_factory,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.corrupt_record import damage, damage_gap, repair
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.ledger.damaged_records import DamagedGap, DamagedRun, RunDamaged, RunRecord
from timegate.domain.runs.run import Attempt


@pytest.fixture
def tried(stores: Stores) -> list[Attempt]:
    """Three runs, a minute apart; the second was tried twice."""
    ids = [attempt_id(number, scheduled_at=after(at)) for at, number in TRIES]
    return [stores.add(attempt_factory(id=each)) for each in ids]


TRIES = [(0, 1), (60, 1), (60, 2), (120, 1)]


def history(stores: Stores, *, latest_first: bool = False) -> tuple[RunRecord, ...]:
    """The runs of the hour."""
    return stores.runs.history(
        TENANT, JOB_ID, start=after(0), end=after(3600), limit=9, latest_first=latest_first
    )


@pytest.mark.parametrize("latest_first", [False, True], ids=["upwards", "downwards"])
def test_history_goes_on_around_a_damaged_run(
    stores: Stores, tried: list[Attempt], *, latest_first: bool
) -> None:
    """It is there, by its key; what is wrong with it is told."""
    damage(stores, tried[2])
    found = history(stores, latest_first=latest_first)
    first, damaged, last = found[::-1] if latest_first else found

    assert (first, last) == (tried[0], tried[3])
    assert isinstance(damaged, DamagedRun)
    assert (damaged.tenant, damaged.id) == (TENANT, tried[2].id)
    assert damaged.reason != ""


def test_an_earlier_attempt_that_is_damaged_hides_no_run(
    stores: Stores, tried: list[Attempt]
) -> None:
    """The last one shows what became of it; who asks for all of them is told."""
    damage(stores, tried[1])
    page = stores.runs.list_runs(TENANT, JOB_ID, limit=9, cursor=None)

    assert history(stores) == (tried[0], tried[2], tried[3])
    assert (page.rows, page.damaged) == ((tried[3], tried[2], tried[0]), ())
    with pytest.raises(RunDamaged) as caught:
        stores.runs.attempts(TENANT, tried[1].id.run)
    assert caught.value.attempt == str(tried[1].id)
    repair(stores, tried[1])
    assert stores.runs.attempts(TENANT, tried[1].id.run) == (tried[1], tried[2])


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_a_damaged_run_takes_its_place_of_a_page(
    stores: Stores, tried: list[Attempt], limit: int
) -> None:
    """Named beside the rows; pages go on behind it."""
    damage(stores, tried[2])
    rows: list[Attempt] = []
    damaged: list[DamagedRun] = []
    cursor: str | None = None
    while True:
        page = stores.runs.list_runs(TENANT, JOB_ID, limit=limit, cursor=cursor)
        assert len(page.rows) + len(page.damaged) <= limit
        rows += page.rows
        damaged += page.damaged
        cursor = page.cursor
        if cursor is None:
            break

    assert rows == [tried[3], tried[0]]
    assert [each.id for each in damaged] == [tried[2].id]


@pytest.mark.parametrize("first_is_known", [True, False], ids=["begins", "only-ends"])
def test_gaps_go_on_around_a_damaged_one(stores: Stores, *, first_is_known: bool) -> None:
    """The key holds the gap's end; its beginning may be unknown."""
    job = stores.add_job()
    gaps = [gap_factory(first=after(n * 100), last=after(n * 100 + 60)) for n in range(3)]
    for gap in gaps:
        before = stores.jobs.get(TENANT, JOB_ID)
        stores.jobs.update(before, before, gap=gap)
    damage_gap(stores, gaps[1], first_is_known=first_is_known)
    first, damaged, last = stores.jobs.gaps(TENANT, JOB_ID, since=after(0), limit=9)

    assert (first, last) == (gaps[0], gaps[2])
    assert isinstance(damaged, DamagedGap)
    assert (damaged.tenant, damaged.job_id, damaged.job_version) == (TENANT, JOB_ID, 1)
    assert (damaged.last, damaged.first_is_known) == (after(160), first_is_known)
    assert damaged.first == (after(100) if first_is_known else after(160))
    assert job.job_id == JOB_ID


def test_what_lies_under_no_attempts_key_is_no_run(stores: Stores) -> None:
    """An operator put it into a job's partition."""
    sound = stores.add(attempt_factory(id=attempt_id(1, scheduled_at=after(0))))
    table = stores.runs._table  # type: ignore[attr-defined]
    fields = {"pk": f"{TENANT}#{JOB_ID}", "sk": "20261121T071500000Z#else"}
    stores.engine.put_all(table, [Put(table=table, fields=fields)])

    assert history(stores) == (sound,)
    assert stores.runs.list_runs(TENANT, JOB_ID, limit=9, cursor=None).rows == (sound,)
