"""Planners and executors find restrictions in the stores, and record the gaps they cause."""

from dataclasses import replace

from tests.support.factories import (
    JOB_ID,
    NOW,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    freeze_factory,
    gap_factory,
)
from tests.support.stores.contract_stores import Stores
from tests.support.stores.sound import sound_gaps
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.catch_up import SettledCatchUp
from timegate.domain.planning.plan import Plan
from timegate.domain.restrictions.restrictions import NOTHING_IN_FORCE
from timegate.domain.runs.run import Reason, RunState
from timegate.ports.stores import Advance, AttemptRef


def excluded(first: float, last: float, version: int = 1) -> Gap:
    return gap_factory(
        first=after(first), last=after(last), reason=Reason.EXCLUDED, job_version=version
    )


def gaps(stores: Stores) -> tuple[Gap, ...]:
    return sound_gaps(stores.jobs.gaps(TENANT, JOB_ID, since=after(-86_400), limit=100))


def test_a_plan_stores_its_gaps_with_its_runs(stores: Stores) -> None:
    """And moves the job past both."""
    job = stores.add_job()
    run, left_out = attempt_factory(due_at=after(60)), (excluded(120, 300), excluded(420, 420))
    plan = Plan(attempts=(run,), next_run_at=after(480), runs_planned=1, gaps=left_out)

    assert stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)]) == [(run,)]
    assert gaps(stores) == left_out
    assert stores.jobs.get(TENANT, JOB_ID).timing.next_run_at == after(480)


def test_a_plan_of_gaps_only_moves_the_job(stores: Stores) -> None:
    """Nothing runs, and that is on record."""
    job = stores.add_job()
    plan = Plan(attempts=(), next_run_at=after(480), runs_planned=0, gaps=(excluded(0, 420),))

    assert stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)]) == [()]
    assert gaps(stores) == plan.gaps


def test_a_plan_that_came_too_late_stores_no_gap(stores: Stores) -> None:
    """The planner that moved the job has decided about these instants."""
    job = stores.add_job()
    moved = replace(job.timing, next_run_at=after(600))
    stores.jobs.update(job, replace(job, timing=replace(moved, version=2)))
    plan = Plan(attempts=(), next_run_at=after(480), runs_planned=0, gaps=(excluded(0, 420),))

    assert stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)]) == [None]
    assert gaps(stores) == ()


def test_a_run_that_exists_hinders_no_gap(stores: Stores) -> None:
    """An earlier version had planned it; it stays, and the rest is written."""
    job = stores.add_job()
    old = stores.add(attempt_factory(due_at=after(60)))
    plan = Plan(attempts=(old,), next_run_at=after(480), runs_planned=1, gaps=(excluded(120, 420),))

    assert stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)]) == [()]
    assert gaps(stores) == plan.gaps


def test_two_schedules_may_leave_out_the_same_instants(stores: Stores) -> None:
    """The one that replaced the other meanwhile has a gap of its own."""
    job = stores.add_job()
    first = Plan(attempts=(), next_run_at=after(480), runs_planned=0, gaps=(excluded(0, 420),))
    stores.runs.plan_all([Advance(timing=job.timing, plan=first, at=NOW)])
    stored = stores.jobs.get(TENANT, JOB_ID)
    again = replace(stored.timing, version=2, next_run_at=after(60))
    stores.jobs.update(stored, replace(stored, timing=again))
    second = replace(first, gaps=(excluded(60, 420, version=2),))
    stores.runs.plan_all([Advance(timing=again, plan=second, at=NOW)])

    assert gaps(stores) == (*first.gaps, *second.gaps)


def test_a_settlement_stores_all_its_gaps(stores: Stores) -> None:
    """Or none: as many as a transaction takes."""
    job = stores.add_job()
    many = tuple(excluded(120 * n, 120 * n + 60) for n in range(90))
    moved = replace(job.timing, next_run_at=after(20_000), decided_until=after(19_999))
    settlement = SettledCatchUp(timing=moved, gaps=many, decided_at=NOW)

    assert [stores.jobs.settle(job.timing, settlement) for _ in range(2)] == [True, False]
    assert gaps(stores) == many


def test_an_attempt_is_loaded_with_what_is_in_force(stores: Stores) -> None:
    """At its own tenant, as it is now."""
    stores.add_job()
    attempt = stores.add(attempt_factory())
    freeze = freeze_factory()
    stores.restrictions.put_freeze(TENANT, freeze, now=NOW)
    own, other = (AttemptRef(tenant=each, id=attempt.id) for each in (TENANT, OTHER_TENANT))
    loaded = stores.runs.load_all([own, other])

    assert loaded[0].attempt == attempt
    assert [each.in_force.freezes for each in loaded] == [(freeze,), ()]
    assert loaded[1].in_force == NOTHING_IN_FORCE


def test_a_run_that_waits_for_a_freeze_is_read_as_it_was_written(stores: Stores) -> None:
    """With the moment since which it is frozen."""
    before = stores.add(attempt_factory())
    waits = replace(
        before,
        state=RunState.WAITING,
        due_at=after(7200),
        watch_at=after(600),
        frozen_since=NOW,
    )

    assert stores.runs.replace(before, waits)
    assert stores.stored(before) == waits
