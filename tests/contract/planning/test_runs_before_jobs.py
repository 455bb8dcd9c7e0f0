"""One-shots that no tally counts: the run is stored, then the job, and one write decides a race."""

from dataclasses import replace
from functools import partial

import pytest

from tests.support.factories import NOW, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import Stores, race
from timegate.domain.jobs.job import Job
from timegate.domain.planning.plan import Plan, plan_runs
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.errors import JobBarred, Throttled
from timegate.ports.stores import AttemptRef

STAMP = Stamp(subject="ci", operation="createJob", request_id="r", at=NOW, source_ip="::1")


def opened(name: str = "once", *, seconds: float = 0) -> tuple[Job, Plan]:
    """A one-shot that is asked for then and due at once, past its run."""
    at = after(seconds)
    once = Schedule(kind=ScheduleKind.AT, at=at)
    new = job_factory(
        job_id=job_id(name), schedule=once, next_run_at=at, created_at=at, updated_at=at
    )
    plan = plan_runs(new.timing, now=at, until=after(120))
    return replace(new, timing=plan.after(new.timing)), plan


def create(stores: Stores, job: Job, plan: Plan, *, repeatable: bool = False) -> bool:
    """Create as the API does; ``False`` where the creator was barred as well."""
    with stores.trail.on_behalf_of(STAMP):
        try:
            return stores.runs.create_job(job, plan.attempts, limit=None, repeatable=repeatable)
        except Throttled:
            return False


def run_of(stores: Stores, plan: Plan) -> Attempt:
    """The plan's one run, as it is stored."""
    (run,) = plan.attempts
    return stores.stored(run)


@pytest.mark.parametrize("repeatable", [True, False])
def test_a_creation_may_be_repeated(stores: Stores, *, repeatable: bool) -> None:
    """An answer was lost: the creator finds its own writes, unless it looks for a job before."""
    job, plan = opened()

    assert create(stores, job, plan, repeatable=repeatable)
    assert create(stores, job, plan, repeatable=repeatable) is not repeatable
    assert run_of(stores, plan).untallied
    assert stores.jobs.get(TENANT, job.job_id).creation is not None


def test_a_job_that_exists_is_barred_by_none(stores: Stores) -> None:
    """It stays as it is."""
    job, plan = opened()
    assert create(stores, job, plan)
    before = stores.jobs.get(TENANT, job.job_id)

    assert not stores.runs.bar_creation(TENANT, job.job_id)
    assert stores.jobs.get(TENANT, job.job_id) == before


def test_a_barred_creator_stores_no_job(stores: Stores) -> None:
    """Its run is there, without a job for a loader of both."""
    job, plan = opened()

    assert [stores.runs.bar_creation(TENANT, job.job_id) for _ in range(2)] == [True, True]
    with stores.trail.on_behalf_of(STAMP), pytest.raises(Throttled):
        stores.runs.create_job(job, plan.attempts, limit=None)
    (loaded,) = stores.runs.load_all([AttemptRef(tenant=TENANT, id=plan.attempts[0].id)])
    assert loaded.attempt is not None
    assert (loaded.job, loaded.unreadable) == (None, None)


def test_a_barred_id_is_no_job(stores: Stores) -> None:
    """For readers of one job, of lists, of statuses and of the table."""
    job, _ = opened()
    stores.runs.bar_creation(TENANT, job.job_id)

    with pytest.raises(JobBarred):
        stores.jobs.get(TENANT, job.job_id)
    with pytest.raises(JobBarred):
        stores.jobs.create(job)
    assert stores.jobs.list_jobs(TENANT, limit=10, cursor=None).rows == ()
    assert stores.dags.job_statuses(TENANT, [job.job_id]) == {}
    assert stores.meter.job_names(TENANT, [job.job_id]) == {}
    page = stores.audit_cursors.jobs(0, 1, position=None)
    assert (page.jobs, page.damaged) == ((), ())


def test_a_creator_and_its_bar_race(stores: Stores) -> None:
    """One of them wins, whatever the order."""
    job, plan = opened()
    bar = partial(stores.runs.bar_creation, TENANT, job.job_id)

    assert sorted(race(partial(create, stores, job, plan), bar)) == [False, True]


def test_of_two_creators_under_one_key_one_stores_the_job(stores: Stores) -> None:
    """Each stored a run; the job says whose it is."""
    (first, plan), (second, its_plan) = opened(), opened(seconds=1)
    contenders = (partial(create, stores, first, plan), partial(create, stores, second, its_plan))
    won = race(*contenders)

    assert sorted(won) == [False, True]
    created_at = stores.jobs.get(TENANT, first.job_id).timing.created_at
    winner = run_of(stores, plan if won[0] else its_plan)
    assert winner.created_at == created_at
