"""A DAG and its own job in one transaction: all of it is stored, or nothing."""

from dataclasses import replace
from functools import partial

import pytest

from tests.contract.dags.test_dags import next_version
from tests.contract.ledger.test_gap_records import renamed
from tests.contract.planning.test_opened_jobs import opened, stored
from tests.contract.tenants.test_audit_trail import STAMP
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    gap_factory,
    job_factory,
    job_id,
)
from tests.support.stores.contract_stores import Stores, race
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import Dag, DagStatus
from timegate.domain.dags.errors import DagChanged, DagNotFound
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded, Usage
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.planning.plan import Plan, plan_runs
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import JobKey, dag_id_from, own_job_id
from timegate.ports.dags import OwnJobWrite
from timegate.usecases.planning.cut_gaps import WITH_CHANGE
from timegate.usecases.planning.plan_opening import MOST_RUNS

TIMED = dag((task("a"),), has_job=True)
OWN = own_job_id(TENANT, TIMED.dag_id)
CANCELLED = JobStatus.CANCELLED


def own_job(**fields: object) -> Job:
    """The job of the DAG."""
    return job_factory(job_id=OWN, next_run_at=NOW, **fields)


def made(stores: Stores) -> Job:
    """Store the DAG with its job; the job."""
    job = own_job()
    assert stores.dags.create(TIMED, own_job=OwnJobWrite(after=job)) == TIMED
    return job


def test_a_dag_is_stored_with_its_job_and_its_first_runs(stores: Stores) -> None:
    """The job is past them."""
    job, plan = opened("own")
    own = OwnJobWrite(after=job, attempts=plan.attempts)

    assert stores.dags.create(TIMED, own_job=own) == TIMED
    assert stores.dags.get(TENANT, TIMED.dag_id) == TIMED
    assert stores.jobs.get(TENANT, job.job_id) == job
    assert len(stored(stores, plan)) == 3
    assert stores.usage.usage(TENANT) == Usage(jobs=1, dags=1)


def test_a_dag_that_exists_gets_no_other_job(stores: Stores) -> None:
    """An earlier request with the same key had created both."""
    made(stores)
    job, plan = opened("another")
    again = replace(TIMED, name="again")
    own = OwnJobWrite(after=job, attempts=plan.attempts)

    assert stores.dags.create(again, own_job=own) == TIMED
    assert stored(stores, plan) == []
    with pytest.raises(JobNotFound):
        stores.jobs.get(TENANT, job.job_id)
    assert stores.usage.usage(TENANT) == Usage(jobs=1, dags=1)


def test_one_of_those_who_create_both_at_once_stores_them(stores: Stores) -> None:
    """Each of the two counts once."""
    names = [f"by {number}" for number in range(4)]

    def create(name: str) -> Dag:
        own = OwnJobWrite(after=own_job(name=name), limit=5)
        return stores.dags.create(replace(TIMED, name=name), limit=5, own_job=own)

    found = race(*(partial(create, name) for name in names))
    (dag_name,) = {each.name for each in found}

    assert stores.jobs.get(TENANT, OWN).name == dag_name
    assert stores.usage.usage(TENANT) == Usage(jobs=1, dags=1)


def test_a_change_is_stored_with_that_of_the_job(stores: Stores) -> None:
    """Both keep the version that they replace."""
    job = made(stores)
    second = next_version(TIMED, name="renamed")
    stores.dags.update(TIMED, second, own_job=OwnJobWrite(before=job, after=renamed(job)))

    assert stores.dags.get(TENANT, TIMED.dag_id) == second
    assert stores.jobs.get(TENANT, OWN) == renamed(job)
    assert stores.jobs.definition(TENANT, OWN, version=1).name == job.name


@pytest.mark.parametrize("stale", ["dag", "job"])
def test_a_change_decided_about_what_is_no_more_writes_nothing(stores: Stores, stale: str) -> None:
    """Another request changed the DAG, or the job alone, since both were read."""
    job, latest = made(stores), TIMED
    if stale == "dag":
        latest = next_version(TIMED, description="x")
        stores.dags.update(TIMED, latest)
    else:
        stores.jobs.update(job, renamed(job))
    before = stores.jobs.get(TENANT, OWN)
    write = OwnJobWrite(before=job, after=renamed(renamed(job)))
    with pytest.raises(DagChanged):
        stores.dags.update(TIMED, next_version(TIMED, name="late"), own_job=write)

    assert stores.dags.get(TENANT, TIMED.dag_id) == latest
    assert stores.jobs.get(TENANT, OWN) == before


def test_a_change_may_give_a_dag_its_job(stores: Stores) -> None:
    """One that exists already is none of a new one's."""
    bare = stores.dags.create(replace(TIMED, has_job=False))
    second = next_version(bare, has_job=True)
    stores.dags.update(bare, second, own_job=OwnJobWrite(after=own_job()))
    with pytest.raises(DagChanged):
        stores.dags.update(second, next_version(second), own_job=OwnJobWrite(after=own_job()))

    assert stores.dags.get(TENANT, TIMED.dag_id) == second
    assert stores.usage.usage(TENANT) == Usage(jobs=1, dags=1)


def test_a_deletion_ends_both(stores: Stores) -> None:
    """Neither counts any more, and the job's key is free."""
    job = own_job(key=JobKey("nightly"))
    stores.dags.create(TIMED, own_job=OwnJobWrite(after=job))
    timing = replace(job.timing, version=2, status=CANCELLED, next_run_at=None)
    ended = OwnJobWrite(before=job, after=replace(job, timing=timing))
    stores.dags.update(TIMED, next_version(TIMED, status=DagStatus.DELETED), own_job=ended)

    assert stores.jobs.get(TENANT, OWN).timing.status is CANCELLED
    assert stores.jobs.keyed_job(TENANT, JobKey("nightly")) is None
    assert stores.usage.usage(TENANT) == Usage()


@pytest.mark.parametrize("full", [Quota.JOBS, Quota.DAGS])
def test_both_need_room(stores: Stores, full: Quota) -> None:
    """Without it for one, neither is stored nor counted."""
    other = dag((task("a"),), dag_id=dag_id_from(b"other"))
    stores.dags.create(other)
    stores.add_job(job_id=job_id("other"))
    limits = {Quota.JOBS: 2, Quota.DAGS: 2} | {full: 1}
    own = OwnJobWrite(after=own_job(), limit=limits[Quota.JOBS])
    with pytest.raises(QuotaExceeded) as refused:
        stores.dags.create(TIMED, limit=limits[Quota.DAGS], own_job=own)
    with pytest.raises(DagNotFound):
        stores.dags.get(TENANT, TIMED.dag_id)

    assert refused.value.quota is full
    assert stores.usage.usage(TENANT) == Usage(jobs=1, dags=1)
    own = replace(own, limit=2)
    assert stores.dags.create(TIMED, limit=2, own_job=own) == TIMED


def test_as_many_dags_with_jobs_get_in_as_there_is_room(stores: Stores) -> None:
    """Two of eight concurrent creations fit the room for three DAGs and two jobs."""

    def is_let_in(number: int) -> bool:
        made = replace(TIMED, dag_id=dag_id_from(b"%d" % number))
        job = job_factory(job_id=own_job_id(TENANT, made.dag_id), next_run_at=NOW)
        try:
            stores.dags.create(made, limit=3, own_job=OwnJobWrite(after=job, limit=2))
        except QuotaExceeded:
            return False
        return True

    let_in = race(*(partial(is_let_in, number) for number in range(8)))

    assert let_in.count(True) == 2
    assert stores.usage.usage(TENANT) == Usage(jobs=2, dags=2)


def test_the_largest_change_fits_in_a_transaction(stores: Stores) -> None:
    """Cuts of gaps, an entry of the trail for each of the two, a watch, a key, and both counts."""
    job = own_job(absent_after_seconds=600, key=JobKey("nightly"))
    stores.dags.create(TIMED, own_job=OwnJobWrite(after=job))
    gaps = [
        gap_factory(job_id=OWN, first=after(n * 100), last=after(n * 100 + 60))
        for n in range(WITH_CHANGE)
    ]
    cuts = [Cut(gap=gap, left=replace(gap, last=gap.first, count=1)) for gap in gaps[:1]]
    cuts += [Cut(gap=gap, left=None) for gap in gaps[1:]]
    timing = replace(job.timing, version=2, status=CANCELLED, next_run_at=None)
    write = OwnJobWrite(
        before=job,
        after=replace(job, name="x", timing=timing),
        gap=gap_factory(job_id=OWN, first=after(-120), last=after(-60), count=2),
        cuts=cuts,
    )
    with stores.trail.on_behalf_of(STAMP):
        stores.dags.update(TIMED, next_version(TIMED, status=DagStatus.DELETED), own_job=write)

    assert stores.usage.usage(TENANT) == Usage()


def test_the_most_first_runs_fit_in_a_transaction(stores: Stores) -> None:
    """With a watch, an entry for each of the two, a key, and both counts."""
    plan = _busy_plan()
    job = own_job(absent_after_seconds=600, key=JobKey("nightly"))
    write = OwnJobWrite(after=job, attempts=plan.attempts[:MOST_RUNS], limit=9)
    with stores.trail.on_behalf_of(STAMP):
        stores.dags.create(TIMED, limit=9, own_job=write)

    assert len(write.attempts) == MOST_RUNS
    assert len(stored(stores, plan)) == MOST_RUNS


def _busy_plan() -> Plan:
    """The runs of a job that fires often."""
    return plan_runs(own_job().timing, now=NOW, until=after(MOST_RUNS * 60))
