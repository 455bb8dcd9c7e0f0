"""Notices that could not be delivered: counted by themselves, and redriven as runs are."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.execution.telling import documents, hook, notices, run_all, telling
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import RunState
from timegate.usecases.operations.settle_dead_letter import SettleRequest, settle_dead_letter

GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")
BUSY = replace(GONE, kind=FailureKind.RETRYABLE, code="http_503", message="busy")


def test_what_is_told_of_runs_is_not_counted_among_them() -> None:
    """One run that failed for good; its notice took a second try, and arrived."""
    world = World()
    telling(world, hook(Occasion.FAILED), retry=RetryPolicy(max_attempts=1))
    world.target.then(GONE, BUSY)
    run_all(world, for_hours=1)
    counts = world.telemetry.counts

    assert (counts["RunsFailed"], counts["RunsSucceeded"], counts["RunsRetried"]) == (1, 0, 0)
    assert (counts["NoticesFailed"], counts["NoticesRetried"]) == (1, 1)
    assert counts["NoticesSucceeded"] == 1
    assert len(world.telemetry.measures["StartLagMs"]) == 1


@pytest.mark.parametrize("status", [JobStatus.ACTIVE, JobStatus.PAUSED])
def test_a_notice_that_was_given_up_is_redriven(status: JobStatus) -> None:
    """With what it said; a paused job holds nothing back that is told of the past."""
    world = World()
    job, _ = telling(world, hook(Occasion.FAILED), retry=RetryPolicy(max_attempts=1))
    world.target.then(GONE, *[BUSY] * 10)
    run_all(world, for_hours=6)
    (dead,) = [each for each in notices(world) if each.state is RunState.DEAD_LETTERED]
    said = documents(world)
    world.tables.jobs[job.tenant, job.job_id] = replace(
        job, timing=replace(job.timing, status=status)
    )
    wish = SettleRequest(tenant=job.tenant, run=dead.id.run, settled=Settled.REDRIVEN, by="ops")
    settle_dead_letter(wish, api_services(world), now=world.clock.now())
    run_all(world)

    assert world.telemetry.counts["RunsDeadLettered"] == 1
    assert notices(world)[-1].state is RunState.SUCCEEDED
    assert documents(world) == [*said, said[0]]
