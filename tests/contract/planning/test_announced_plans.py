"""Plans that are stored apart from their jobs' moves: each step is decided by its own condition."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

from tests.contract.planning.planner import scheduling_of
from tests.support.factories import NOW, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import SHARDS, Stores, race
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.planning.announced_runs import announcement_of, announcing
from timegate.domain.planning.plan import plan_runs
from timegate.domain.values.instants import minutes_between
from timegate.ports.stores import Advance
from timegate.usecases.planning.materialise import finish_announced, materialise

RUNS = 7


def announced(job: Job) -> Advance:
    """Past the runs of seven minutes, as the job announces them."""
    plan = plan_runs(job.timing, now=NOW, until=after(RUNS * 60))
    announcement = announcement_of(job.timing, plan, now=NOW)
    assert announcement is not None
    return Advance(timing=announcing(job.timing, announcement), plan=plan, at=NOW)


def minutely(stores: Stores, name: str = "job") -> Job:
    """A job whose next instant is a minute away."""
    return stores.add_job(job_id=job_id(name), anchored_at=NOW, next_run_at=after(60))


def stored(stores: Stores, job: Job) -> Timing:
    """The job as it is now."""
    return stores.jobs.get(TENANT, job.job_id).timing


def test_the_three_steps(stores: Stores) -> None:
    """The job stands where it stood until its runs are stored; it is due where it was."""
    job = minutely(stores)
    advance, plans = announced(job), stores.announced_plans
    told = plans.announce_all([(job.timing, advance.timing)])
    between = stored(stores, job)
    (minute,) = minutes_between(after(60), after(60))
    due = [each for shard in range(SHARDS) for each in stores.due(minute, shard)]
    new = plans.store_runs(advance.plan.attempts)
    moved = plans.move_all([advance])

    assert (told, new, moved) == ([True], [True] * RUNS, [True])
    assert between == advance.timing
    assert (between.next_run_at, between.runs_planned) == (after(60), RUNS)
    assert due == [between]
    assert all(stores.exists(attempt) for attempt in advance.plan.attempts)
    expected = advance.plan.after(job.timing)
    assert stored(stores, job) == expected
    assert (expected.announced, expected.next_run_at) == (None, after((RUNS + 1) * 60))


def test_who_has_read_the_job_before_changes_nothing(stores: Stores) -> None:
    """Neither a second announcement, nor a plan by transaction, an edit or a completion."""
    job = minutely(stores)
    advance = announced(job)
    announce = partial(stores.announced_plans.announce_all, [(job.timing, advance.timing)])
    assert announce() == [True]

    assert announce() == [False]
    assert stores.runs.plan_all([replace(advance, timing=job.timing)]) == [None]
    assert not stores.jobs.complete(TENANT, job.job_id, now=NOW, read=job.timing)
    assert stored(stores, job) == advance.timing


def test_a_job_that_has_changed_announces_nothing(stores: Stores) -> None:
    """Its neighbours do."""
    jobs = [minutely(stores, str(number)) for number in range(3)]
    edited = job_factory(job_id=jobs[1].job_id, version=2, status=JobStatus.PAUSED)
    stores.jobs.update(jobs[1], edited)
    advances = [announced(job) for job in jobs]
    pairs = [(job.timing, each.timing) for job, each in zip(jobs, advances, strict=True)]

    assert stores.announced_plans.announce_all(pairs) == [True, False, True]
    assert stores.jobs.get(TENANT, jobs[1].job_id) == edited


def test_a_slow_planner_meets_what_another_one_finished(stores: Stores) -> None:
    """Its runs exist, and the job has moved: it writes nothing."""
    job = minutely(stores)
    advance, plans = announced(job), stores.announced_plans
    plans.announce_all([(job.timing, advance.timing)])
    plans.store_runs(advance.plan.attempts[:3])
    finished = finish_announced(stored(stores, job), scheduling_of(stores), now=after(60))
    stands = stored(stores, job)

    assert finished
    assert (stands.announced, stands.next_run_at) == (None, after((RUNS + 1) * 60))
    assert plans.store_runs(advance.plan.attempts) == [False] * RUNS
    assert plans.move_all([advance]) == [False]
    assert stored(stores, job) == stands


def test_racing_planners_store_each_run_once(stores: Stores) -> None:
    """One of them announces; the others are refused, or finish what it announced."""
    jobs = [minutely(stores, str(number)) for number in range(6)]
    timings, scheduling = [job.timing for job in jobs], scheduling_of(stores)
    scheduling = replace(scheduling, look_ahead=timedelta(seconds=RUNS * 60))
    done = race(*(partial(materialise, timings, scheduling, now=NOW) for _ in range(4)))

    assert sum(each.runs_created for each in done) == RUNS * len(jobs)
    assert {stored(stores, job).next_run_at for job in jobs} == {after((RUNS + 1) * 60)}
