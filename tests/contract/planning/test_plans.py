"""Planning many jobs at once: they share transactions, and each is decided by itself."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from functools import partial

from tests.support.factories import EVERY_MINUTE, NOW, TENANT, after, job_factory, job_id
from tests.support.stores.contract_stores import SHARDS, Stores, race
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.planning.places import FULL_AGAIN
from timegate.domain.planning.plan import plan_runs
from timegate.domain.values.instants import MILLISECOND, minutes_between
from timegate.ports.stores import Advance

#: Runs of a minutely job in it: with the job's move, nine jobs fill a transaction.
RUNS = 10
WINDOW = timedelta(seconds=(RUNS - 1) * 60)


def advance(job: Job) -> Advance:
    """Past the runs of the window."""
    plan = plan_runs(job.timing, now=NOW, until=NOW + WINDOW)
    return Advance(timing=job.timing, plan=plan, at=NOW)


def jobs_in(stores: Stores, count: int) -> list[Job]:
    """Minutely ones."""
    return [stores.add_job(job_id=job_id(str(number))) for number in range(count)]


def test_many_jobs_with_many_runs_are_planned(stores: Stores) -> None:
    """More than one transaction takes; all runs are new, and all jobs have moved."""
    advances = [advance(job) for job in jobs_in(stores, 25)]
    stored = stores.runs.plan_all(advances)

    assert stored == [each.plan.attempts for each in advances]
    assert all(len(each.plan.attempts) == RUNS for each in advances)
    assert {stores.jobs.get(TENANT, a.timing.job_id).timing.next_run_at for a in advances} == {
        after(RUNS * 60)
    }


def test_one_refusal_does_not_touch_the_neighbours(stores: Stores) -> None:
    """A job that was edited, and one with a run that exists, beside jobs that are as expected."""
    jobs = jobs_in(stores, 5)
    advances = [advance(job) for job in jobs]
    stores.jobs.update(jobs[1], job_factory(job_id=jobs[1].job_id, version=2))
    existing = advances[3].plan.attempts[4]
    stores.add(existing)
    stored = stores.runs.plan_all(advances)

    expected = [each.plan.attempts for each in advances]
    without = tuple(attempt for attempt in expected[3] if attempt != existing)
    assert stored == [expected[0], None, expected[2], without, expected[4]]
    assert not any(stores.exists(attempt) for attempt in expected[1])
    assert all(stores.exists(attempt) for attempt in expected[3])


def test_a_job_that_is_read_twice_moves_once(stores: Stores) -> None:
    """An index may show a job again that was written while it was read."""
    (job,) = jobs_in(stores, 1)
    stored = stores.runs.plan_all([advance(job), advance(job)])

    assert Counter(stored) == Counter([advance(job).plan.attempts, None])
    assert stores.jobs.get(TENANT, job.job_id).timing.runs_planned == RUNS


def test_racing_planners_share_the_jobs(stores: Stores) -> None:
    """Each run is stored by one of them, either of them."""
    advances = [advance(job) for job in jobs_in(stores, 12)]
    stored = race(*(partial(stores.runs.plan_all, advances) for _ in range(4)))

    winners = [sum(result[n] is not None for result in stored) for n in range(12)]
    assert winners == [1] * 12


def test_a_job_whose_last_run_exists_waits_for_it(stores: Stores) -> None:
    """That run does not say that it is the last one; of two others the last run is new."""
    bounded = replace(EVERY_MINUTE, ends_at=NOW + WINDOW)
    jobs = [stores.add_job(job_id=job_id(str(n)), schedule=bounded) for n in range(3)]
    advances = [advance(job) for job in jobs]
    assert [each.plan.next_run_at for each in advances] == [None] * 3
    stores.add(replace(advances[0].plan.attempts[-1], final=False))
    stores.add(advances[1].plan.attempts[0])
    stores.runs.plan_all(advances)
    stored = [stores.jobs.get(TENANT, job.job_id).timing for job in jobs]

    assert [timing.full for timing in stored] == [True, False, False]
    assert [timing.status for timing in stored] == [JobStatus.ACTIVE] * 3
    assert stored[0].counted_until == NOW + WINDOW - MILLISECOND
    shown = [
        each
        for minute in minutes_between(NOW, NOW + FULL_AGAIN)
        for shard in range(SHARDS)
        for each in stores.jobs.due(minute, shard)
    ]
    assert [each.job_id for each in shown if isinstance(each, Timing)] == [jobs[0].job_id]
