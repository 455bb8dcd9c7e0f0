"""Quotas of jobs and DAGs: never one too many, and nothing counts that is not there any more."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from tests.contract.conftest import NewStores
from tests.support.factories import NOW, OTHER_TENANT, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.recorder import recorded
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dags.definition import DagStatus
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded, Usage
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.planning.catch_up import SettledCatchUp
from timegate.domain.planning.plan import Plan
from timegate.domain.values.errors import JobChanged
from timegate.domain.values.identity import dag_id_from
from timegate.ports.stores import Advance

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

LAST: dict[str, object] = {"next_run_at": None}


def add(stores: Stores, name: str, *, limit: int | None, **fields: object) -> Job:
    """Create a job under a quota."""
    return stores.jobs.create(job_factory(job_id=job_id(name), **fields), limit=limit)


def is_let_in(stores: Stores, name: str, *, limit: int) -> bool:
    """Return whether one more job is accepted."""
    try:
        add(stores, name, limit=limit)
    except QuotaExceeded:
        return False
    return True


def moved(job: Job, status: JobStatus) -> Job:
    """A job after a change of its status."""
    timing = replace(job.timing, status=status, version=job.timing.version + 1)
    return replace(job, timing=timing, updated_at=after(1))


def cancel(stores: Stores, job: Job) -> None:
    stores.jobs.update(job, moved(job, JobStatus.CANCELLED))


def complete(stores: Stores, job: Job) -> None:
    assert stores.jobs.complete(job.tenant, job.job_id, now=after(1))


def settle_to_its_end(stores: Stores, job: Job) -> None:
    timing = replace(job.timing, status=JobStatus.COMPLETED, next_run_at=None)
    settlement = SettledCatchUp(timing=timing, gaps=(), decided_at=NOW)
    assert stores.jobs.settle(job.timing, settlement)


def plan_to_its_end(stores: Stores, job: Job) -> None:
    plan = Plan(attempts=(), next_run_at=None, runs_planned=0)
    assert stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW)]) == [()]


ENDS: dict[str, tuple[Callable[[Stores, Job], None], dict[str, object]]] = {
    "cancelled": (cancel, {}),
    "completed by its last run": (complete, LAST),
    "completed by what it missed": (settle_to_its_end, {}),
    "completed by the planner": (plan_to_its_end, {}),
}


def test_one_too_many_is_refused(stores: Stores) -> None:
    """The last place can be had, the one after it cannot: it says which quota, and how full."""
    add(stores, "first", limit=2)
    add(stores, "second", limit=2)
    with pytest.raises(QuotaExceeded) as refused:
        add(stores, "third", limit=2)

    assert (refused.value.quota, refused.value.limit, refused.value.used) == (Quota.JOBS, 2, 2)
    assert len(stores.jobs.list_jobs(TENANT, limit=10, cursor=None).rows) == 2
    assert stores.usage.usage(TENANT) == Usage(jobs=2)


def test_nothing_at_all_may_be_allowed(stores: Stores) -> None:
    """A quota of none lets no job in, not even the first."""
    assert not is_let_in(stores, "first", limit=0)
    assert stores.usage.usage(TENANT) == Usage()


def test_a_repetition_needs_no_room(stores: Stores) -> None:
    """A repeated creation gets the stored job when all is full."""
    first = add(stores, "first", limit=1)

    assert add(stores, "first", limit=1) == first
    assert stores.usage.usage(TENANT) == Usage(jobs=1)


def test_others_do_not_count(stores: Stores) -> None:
    """Each tenant has room of its own."""
    add(stores, "theirs", limit=1, tenant=OTHER_TENANT)

    assert is_let_in(stores, "ours", limit=1)


@pytest.mark.parametrize("end", ENDS)
def test_what_ended_makes_room(stores: Stores, end: str) -> None:
    """However a job ends, there is room for another at once, and for one only."""
    ends, fields = ENDS[end]
    job = add(stores, "first", limit=1, **fields)
    ends(stores, job)

    assert stores.usage.usage(TENANT) == Usage()
    assert is_let_in(stores, "second", limit=1)
    assert not is_let_in(stores, "third", limit=1)


@pytest.mark.parametrize("end", ENDS)
def test_an_end_counts_once(stores: Stores, end: str) -> None:
    """A late or repeated end makes no room."""
    ends, fields = ENDS[end]
    job = add(stores, "first", limit=2, **fields)
    add(stores, "second", limit=2)
    ends(stores, job)
    with pytest.raises((AssertionError, JobChanged)):
        ends(stores, job)

    assert stores.usage.usage(TENANT) == Usage(jobs=1)


def test_a_paused_job_counts(stores: Stores) -> None:
    """It may run again at any time."""
    job = add(stores, "first", limit=1)
    stores.jobs.update(job, moved(job, JobStatus.PAUSED))

    assert not is_let_in(stores, "second", limit=1)


def test_a_job_that_is_revived_needs_room(stores: Stores) -> None:
    """A new schedule makes a completed job count again: refused, it stays as it is."""
    job = add(stores, "first", limit=1, **LAST)
    complete(stores, job)
    add(stores, "second", limit=1)
    completed = stores.jobs.get(TENANT, job.job_id)
    revived = moved(completed, JobStatus.ACTIVE)
    with pytest.raises(QuotaExceeded):
        stores.jobs.update(completed, revived, limit=1)
    refused = stores.jobs.get(TENANT, job.job_id)
    stores.jobs.update(completed, revived, limit=2)

    assert refused == completed
    assert stores.jobs.get(TENANT, job.job_id) == revived
    assert stores.usage.usage(TENANT) == Usage(jobs=2)


def test_a_quota_that_shrinks_takes_nothing_away(stores: Stores) -> None:
    """A tenant above its quota keeps its jobs, and creates none before it has fewer."""
    jobs = [add(stores, str(number), limit=3) for number in range(3)]
    refused = is_let_in(stores, "another", limit=2)
    cancel(stores, jobs[0])
    still_refused = is_let_in(stores, "another", limit=2)
    cancel(stores, jobs[1])

    assert (refused, still_refused) == (False, False)
    assert is_let_in(stores, "another", limit=2)


def test_jobs_that_end_together_are_all_counted(stores: Stores) -> None:
    """Forty jobs that the planner ends in one go leave no trace: none is counted twice."""
    jobs = [add(stores, str(number), limit=None) for number in range(40)]
    plan = Plan(attempts=(), next_run_at=None, runs_planned=0)
    stores.runs.plan_all([Advance(timing=job.timing, plan=plan, at=NOW) for job in jobs])

    assert stores.usage.usage(TENANT) == Usage()


def test_of_many_at_once_as_many_get_in_as_there_is_room(stores: Stores) -> None:
    """Twelve who create, while two others end jobs: never too many, and no room is lost."""
    old = [add(stores, f"old {number}", limit=4) for number in range(4)]
    makers = [partial(is_let_in, stores, str(number), limit=4) for number in range(12)]

    def end(job: Job) -> bool:
        cancel(stores, job)
        return False

    let_in = race(*makers, partial(end, old[0]), partial(end, old[1])).count(True)
    rest = [is_let_in(stores, f"later {number}", limit=4) for number in range(2)]

    assert stores.usage.usage(TENANT) == Usage(jobs=4)
    assert let_in + rest.count(True) == 2


def test_dags_have_a_quota_of_their_own(stores: Stores) -> None:
    """One that is deleted makes room; an update needs none, and a repetition neither."""
    ids = (dag_id_from(b"%d" % number) for number in range(3))
    first, second, third = (dag((task("a"),), tenant=TENANT, dag_id=each) for each in ids)
    stores.dags.create(first, limit=1)
    stores.dags.create(first, limit=1)
    updated = replace(first, version=2, name="another")
    stores.dags.update(first, updated)
    with pytest.raises(QuotaExceeded):
        stores.dags.create(second, limit=1)
    stores.dags.update(updated, replace(updated, version=3, status=DagStatus.DELETED))
    stores.dags.create(second, limit=1)
    with pytest.raises(QuotaExceeded) as refused:
        stores.dags.create(third, limit=1)

    assert refused.value.quota is Quota.DAGS
    assert stores.usage.usage(TENANT) == Usage(dags=1)


def test_what_it_costs(dynamodb: "DynamoDBClient", new_dynamo_stores: NewStores) -> None:
    """A creation and an end are one call each, as ever; only a full quota is looked up."""
    stores = new_dynamo_stores()
    with recorded(dynamodb) as creating:
        job = add(stores, "first", limit=1, **LAST)
    with recorded(dynamodb) as completing:
        complete(stores, job)
    with recorded(dynamodb) as looking_again:
        add(stores, "second", limit=1)
    with recorded(dynamodb) as refusing:
        assert not is_let_in(stores, "third", limit=1)

    assert creating == {"TransactWriteItems": 1}
    assert completing == {"TransactWriteItems": 1}
    # Ends that this process has not heard of yet.
    assert looking_again == {"TransactWriteItems": 2, "Query": 1}
    assert refusing == {"TransactWriteItems": 1, "Query": 1}


def test_jobs_that_end_together_are_completed_and_counted_once(stores: Stores) -> None:
    """By one transaction of each tenant; one that is named twice is completed by the first."""
    own = [add(stores, str(number), limit=9, **LAST) for number in range(3)]
    other = add(stores, "other", limit=9, tenant=OTHER_TENANT, **LAST)
    owners = [(job.tenant, job.job_id) for job in (*own, other, own[0])]

    assert stores.jobs.complete_all(owners, now=after(1)) == [True, True, True, True, False]
    statuses = {stores.jobs.get(*owner).timing.status for owner in owners}
    assert statuses == {JobStatus.COMPLETED}
    assert [stores.usage.usage(tenant) for tenant in (TENANT, OTHER_TENANT)] == [Usage()] * 2
    assert stores.jobs.complete_all(owners, now=after(2)) == [False] * len(owners)
    assert [stores.usage.usage(tenant) for tenant in (TENANT, OTHER_TENANT)] == [Usage()] * 2


def test_a_job_that_may_not_end_holds_up_none_that_ends_with_it(stores: Stores) -> None:
    """Each is tried by itself then, and those that end are counted."""
    own = [add(stores, str(number), limit=9, **LAST) for number in range(3)]
    cancel(stores, own[1])
    owners = [(job.tenant, job.job_id) for job in own]

    assert stores.jobs.complete_all(owners, now=after(2)) == [True, False, True]
    assert stores.jobs.get(*owners[1]).timing.status is JobStatus.CANCELLED
    assert stores.usage.usage(TENANT) == Usage()
