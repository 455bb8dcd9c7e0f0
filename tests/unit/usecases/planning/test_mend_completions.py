"""After a promotion a job whose last run has ended is completed, and late retries are made."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory
from tests.unit.usecases.planning.test_mend_jobs import LOST, Takeover, told
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.conclusion import end, fail
from timegate.domain.runs.run import Attempt, Reason, RunState


@pytest.fixture
def world() -> Takeover:
    """The region that takes over."""
    return Takeover()


def ended_once(world: Takeover, **fields: Any) -> Attempt:  # noqa: ANN401 - of a job
    """The only run of a job, which has ended; nothing else of that arrived."""
    once = Schedule(kind=ScheduleKind.AT, at=after(60))
    world.plan(schedule=once, next_run_at=after(60), **fields)
    (before,) = world.attempts()
    running = replace(before, state=RunState.RUNNING, fence=1)
    ended = end(running, RunState.SUCCEEDED, now=after(61))
    assert world.runs.replace(before, ended)
    return ended


def test_a_job_whose_completion_did_not_arrive_is_completed(world: Takeover) -> None:
    """Its last run has ended on record: it would stay active for ever."""
    ended_once(world)

    assert world.mend()
    assert world.jobs.get(TENANT, JOB_ID).timing.status is JobStatus.COMPLETED
    assert [each["completed"] for each in told(world, "region_job_mended")] == [True]
    assert world.mend(3_000)
    assert len(told(world, "region_job_mended")) == 1


def test_a_job_whose_last_run_is_open_or_retried_stays_active(world: Takeover) -> None:
    """Its end completes it here."""
    ended = ended_once(world, retry=RetryPolicy(initial_delay_seconds=60))
    assert world.runs.replace(ended, replace(ended, state=RunState.FAILED, reason=Reason.RETRIED))

    assert world.mend()
    assert world.jobs.get(TENANT, JOB_ID).timing.status is JobStatus.ACTIVE
    assert [each["completed"] for each in told(world, "region_job_mended")] == [False]


@pytest.mark.parametrize(
    ("delay", "made"), [(timedelta(hours=5), 1), (timedelta(hours=1), 0)], ids=["long", "short"]
)
def test_a_retry_of_an_early_instant_is_made_where_the_policy_may_ask_for_it(
    world: Takeover, delay: timedelta, made: int
) -> None:
    """A target may have asked for a pause of a day. No run of earlier instants is read."""
    early = NOW - timedelta(hours=30)
    seconds = delay.total_seconds()
    policy = RetryPolicy(initial_delay_seconds=seconds, max_delay_seconds=seconds)
    world.add_job(schedule=Schedule(kind=ScheduleKind.AT, at=early), retry=policy)
    ended = attempt_factory(
        due_at=early, state=RunState.FAILED, reason=Reason.RETRIED, ended_at=after(LOST - 1)
    )
    world.tables.attempts[ended.tenant, ended.id] = ended

    assert world.mend()
    assert len(world.runs.attempts(TENANT, ended.id.run)) == 1 + made


def test_a_retry_is_due_when_its_target_asked_for_it(world: Takeover) -> None:
    """The end's explanation says so: the pause is on record nowhere else."""
    world.plan()
    (before,) = [each for each in world.attempts() if each.id.run.scheduled_at == after(180)]
    running = replace(before, state=RunState.RUNNING, fence=1)
    asked = Failure(
        kind=FailureKind.RETRYABLE,
        code="http_503",
        type="Busy",
        message="",
        retry_after_seconds=900,
    )
    concluded = fail(running, asked, RetryPolicy(), started_at=after(180), now=after(181))
    assert world.runs.replace(before, concluded.ended)

    assert world.mend()
    assert world.runs.attempts(TENANT, before.id.run)[1].due_at == after(181 + 900)
    assert concluded.retry is not None
    assert concluded.retry.due_at == after(181 + 900)
