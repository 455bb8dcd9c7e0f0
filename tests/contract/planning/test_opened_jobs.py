"""Jobs that are stored with their first runs: both, or neither."""

from dataclasses import replace
from functools import partial

import pytest

from tests.support.factories import NOW, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.execution.quota_usage import QuotaExceeded
from timegate.domain.jobs.job import Job
from timegate.domain.planning.plan import Plan, plan_runs
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobKey


def opened(name: str = "opened") -> tuple[Job, Plan]:
    """A minutely job past the three runs of its first two minutes."""
    job = job_factory(job_id=job_id(name), next_run_at=NOW)
    plan = plan_runs(job.timing, now=NOW, until=after(120))
    return job_factory(job_id=job.job_id, **plan_fields(plan)), plan


def plan_fields(plan: Plan) -> dict[str, object]:
    return {"next_run_at": plan.next_run_at, "runs_planned": plan.runs_planned}


def stored(stores: Stores, plan: Plan) -> list[Attempt]:
    """The plan's runs that are there."""
    return [each for each in plan.attempts if stores.exists(each)]


def test_a_job_is_stored_past_its_first_runs(stores: Stores) -> None:
    """It stands at the first instant without a run."""
    job, plan = opened()

    assert stores.runs.create_job(job, plan.attempts, limit=None)
    assert stores.jobs.get(TENANT, job.job_id) == job
    assert job.timing.next_run_at == after(180)
    assert len(stored(stores, plan)) == 3


def test_a_job_whose_id_exists_gets_no_runs(stores: Stores) -> None:
    """An earlier request with the same key had created it."""
    job, plan = opened()
    first = stores.add_job(job_id=job.job_id, name="first")

    assert not stores.runs.create_job(job, plan.attempts, limit=None)
    assert stores.jobs.get(TENANT, job.job_id) == first
    assert stored(stores, plan) == []


def test_one_of_those_who_create_a_job_at_once_stores_it(stores: Stores) -> None:
    """It counts once against the quota."""
    job, plan = opened()
    create = partial(stores.runs.create_job, job, plan.attempts, limit=10)

    assert sorted(race(*[create] * 4)) == [False, False, False, True]
    assert len(stored(stores, plan)) == 3


def test_a_quota_refuses_the_job_and_its_runs(stores: Stores) -> None:
    """The last place is given; one more is refused, and nothing of it is stored."""
    job, plan = opened()
    more, its_plan = opened("more")

    assert stores.runs.create_job(job, plan.attempts, limit=1)
    with pytest.raises(QuotaExceeded):
        stores.runs.create_job(more, its_plan.attempts, limit=1)
    assert stored(stores, its_plan) == []


def test_a_job_whose_key_is_taken_gets_no_runs(stores: Stores) -> None:
    """A job with a free key takes it with its runs."""
    (first, plan), (second, its_plan) = opened(), opened("second")
    key = JobKey("nightly")

    assert stores.runs.create_job(replace(first, key=key), plan.attempts, limit=None)
    assert not stores.runs.create_job(replace(second, key=key), its_plan.attempts, limit=None)
    assert stores.jobs.keyed_job(TENANT, key) == first.job_id
    assert stored(stores, its_plan) == []
