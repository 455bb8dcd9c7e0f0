"""``MeterStore``: tallies that count each attempt once, whatever is read again."""

from collections.abc import Sequence
from dataclasses import replace

from tests.support.factories import (
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
)
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.auditing.job_walk import read_jobs
from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore
from timegate.domain.metering.meter_round import MeterRound
from timegate.domain.metering.metered_attempt import AttemptKind, MeteredAttempt
from timegate.domain.metering.tally import CostTally, TenantMonth
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.tenant import TenantId

MONTH = (TENANT, "2026-11")
ROUND = MeterRound(since=after(-7200), until=after(-300))


def ended(minutes: int, *, name: str = "pulse", tenant: TenantId = TENANT) -> Attempt:
    """A run that ended a second after its instant."""
    return attempt_factory(
        tenant=tenant,
        id=attempt_id(job=job_id(name), scheduled_at=after(60 * minutes)),
        due_at=after(60 * minutes),
        state=RunState.SUCCEEDED,
        started_at=after(60 * minutes),
        ended_at=after(60 * minutes + 1),
        created_at=after(60 * minutes - 600),
    )


def read(stores: Stores, *attempts: Attempt) -> tuple[MeteredAttempt, ...]:
    """Store attempts, and read the page that has them."""
    for each in attempts:
        stores.add(each)
    page = stores.meter.read_page(None)
    assert page.position is None
    return tuple(sorted(page.attempts, key=lambda each: each.attempt.id))


def count(stores: Stores, attempts: Sequence[MeteredAttempt], of: MeterRound = ROUND) -> int:
    """Count them for the job; the runs of its tally."""
    stores.meter.count_job(MONTH, job_id("pulse"), attempts, counting=of)
    return stores.meter.job_tally(MONTH, job_id("pulse")).runs


def test_a_page_has_attempts_as_they_are_stored(stores: Stores) -> None:
    """With the size of their items, and how many were planned together."""
    together = [replace(ended(-n), created_at=after(-3600)) for n in (20, 21)]
    alone = ended(-30, name="other")
    found = read(stores, *together, alone)

    assert {each.attempt for each in found} == {*together, alone}
    assert {each.attempt.id.run.job_id: each.planned_with for each in found} == {
        job_id("pulse"): 2,
        job_id("other"): 1,
    }
    assert all(200 < each.size_bytes < 1024 for each in found)


def test_nothing_but_attempts_is_read(stores: Stores) -> None:
    """The table holds other records as well."""
    stores.meter.move(MeterRound(), ROUND, {})

    assert stores.meter.read_page(None).attempts == ()


def test_what_was_counted_in_a_round_is_not_counted_again(stores: Stores) -> None:
    """A page that is read again may end elsewhere: what it has more is added."""
    found = read(stores, *(ended(-n) for n in (20, 21, 22)))

    assert [count(stores, found[:2]), count(stores, found[:2]), count(stores, found)] == [2, 2, 3]
    assert count(stores, found[:1]) == 3


def test_a_later_round_adds_to_it(stores: Stores) -> None:
    """A retry of an instant that was counted comes first in the table, and counts."""
    found = read(stores, ended(-20), ended(-10))
    later = MeterRound(since=after(-300), until=after(3300))

    assert [count(stores, found[1:]), count(stores, found[:1], later)] == [1, 2]


def test_an_auditor_of_an_earlier_round_adds_nothing(stores: Stores) -> None:
    """The later round began when all of the earlier one was counted."""
    found = read(stores, ended(-20), ended(-10))
    later = MeterRound(since=after(-300), until=after(3300))

    assert [count(stores, found[:1], later), count(stores, found[1:])] == [1, 1]


def test_a_tally_reads_back_what_was_added(stores: Stores) -> None:
    """To the millionth."""
    (found,) = read(stores, ended(-20))
    count(stores, [found])
    tally = stores.meter.job_tally(MONTH, job_id("pulse"))

    assert (tally.runs, tally.kinds, tally.busy_seconds) == (1, {AttemptKind.SCHEDULED: 1}, 1.0)
    assert abs(tally.usage.usd - found.usage.usd) < 1e-9
    assert stores.meter.job_tally(MONTH, job_id("other")) == CostTally()


def test_the_meter_moves_once_from_where_it_was(stores: Stores) -> None:
    """And a tenant's month with it, or neither."""
    month = TenantMonth(one_shots=CostTally(runs=3, kinds={AttemptKind.ONE_SHOT: 3}))
    moved = ROUND.behind("acme#job|20261121")

    assert stores.meter.read_round() == MeterRound()
    assert stores.meter.move(MeterRound(), ROUND, {})
    assert stores.meter.move(ROUND, moved, {MONTH: month})
    assert not stores.meter.move(ROUND, moved, {MONTH: month})
    assert stores.meter.read_round() == moved
    assert stores.meter.tenant_month(MONTH) == month


def test_tenants_of_a_month_are_listed_by_name(stores: Stores) -> None:
    """Page by page; each month has its own."""
    one, two = (
        TenantMonth(dag_tasks=CostTally(runs=n, kinds={AttemptKind.DAG_TASK: n})) for n in (1, 2)
    )
    other, before = (OTHER_TENANT, "2026-11"), (TENANT, "2026-10")
    stores.meter.move(MeterRound(), ROUND, {MONTH: one, other: two, before: two})
    first = stores.meter.tenants("2026-11", limit=1, cursor=None)
    second = stores.meter.tenants("2026-11", limit=1, cursor=first.cursor)

    assert [(each.tenant, each.month) for each in (*first.rows, *second.rows)] == [
        (TENANT, one),
        (OTHER_TENANT, two),
    ]
    assert [each.tenant for each in stores.meter.tenants("2026-10", limit=5, cursor=None).rows] == [
        TENANT
    ]


def test_a_tenant_sees_the_tallies_of_its_own_jobs(stores: Stores) -> None:
    """Another tenant's job of the same id has another tally."""
    found = read(stores, ended(-20), ended(-20, tenant=OTHER_TENANT))
    for each in found:
        of = (each.attempt.tenant, "2026-11")
        stores.meter.count_job(of, job_id("pulse"), [each], counting=ROUND)
    tallies, is_complete = stores.meter.job_tallies(MONTH)

    assert is_complete
    assert [(each.job_id, each.tally.runs) for each in tallies] == [(job_id("pulse"), 1)]


def test_names_of_jobs_that_are_there_are_read_together(stores: Stores) -> None:
    """A rule has none, nor has a job that is gone."""
    job = stores.add_job(name="pulse")

    assert stores.meter.job_names(TENANT, [job.job_id, job_id("gone")]) == {job.job_id: "pulse"}
    assert stores.meter.job_names(TENANT, []) == {}


def test_a_round_under_way_says_where_it_is() -> None:
    """It ends with the last page, and the next one is due by what it read."""
    begun = MeterRound(since=after(-7200)).begun(NOW)
    done = begun.behind("a|b").behind(None)

    assert (begun.until, begun.pages, begun.is_due(NOW)) == (after(-300), 0, False)
    assert (done.since, done.until, done.pages) == (after(-300), None, 2)
    assert (done.is_due(after(3599)), done.is_due(after(3600))) == (False, True)


def test_a_page_begins_where_the_last_one_ended(stores: Stores) -> None:
    """Names of tenants may have any separator; each attempt is read once."""
    tenants = [TENANT, OTHER_TENANT, TenantId("auth0|123"), TenantId("auth0|124")]
    for tenant in tenants:
        stores.add(ended(-20, tenant=tenant))
    runs = stores.runs._table  # type: ignore[attr-defined]
    store = DynamoMeterStore(stores.engine, jobs_table="none", runs_table=runs, page_items=1)
    found: list[MeteredAttempt] = []
    position: str | None = None
    for _ in range(50):
        page = store.read_page(position)
        found += page.attempts
        position = page.position
        if position is None:
            break
        if page.attempts:
            assert store.read_page(store.position_behind(page.attempts[-1])) == store.read_page(
                position
            )

    assert position is None
    assert sorted(each.attempt.tenant for each in found) == sorted(tenants)


def test_a_tenant_called_as_a_job_s_record_is_no_job(stores: Stores) -> None:
    """A walk over jobs chooses records by their sort key."""
    of = (TenantId("job"), "2026-11")
    month = TenantMonth(one_shots=CostTally(runs=1, kinds={AttemptKind.ONE_SHOT: 1}))
    stores.meter.move(MeterRound(), ROUND, {of: month})
    jobs = stores.jobs._table  # type: ignore[attr-defined]
    walked = read_jobs(stores.engine, jobs, 0, 1, position=None)

    assert (walked.jobs, walked.damaged) == ((), ())
    (row,) = stores.meter.tenants("2026-11", limit=5, cursor=None).rows
    assert (row.tenant, row.month) == (of[0], month)
