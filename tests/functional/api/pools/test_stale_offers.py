"""Offers that are of no use any more: claims pass over them to the runs behind."""

from datetime import timedelta

import pytest

from tests.support.api import Api
from tests.support.factories import attempt_factory, attempt_id, job_id
from tests.support.pools.worker_requests import claim, offer
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import RunState


def offers_of_no_use(api: Api, count: int) -> None:
    """Offers of a job that was cancelled, all due before any other."""
    world, pool = api.world, Offer(pool="reports", handler="sales")
    action = WorkerAction(pool="reports", handler="sales")
    world.add_job(
        job_id=job_id("gone"), action=action, status=JobStatus.CANCELLED, next_run_at=None
    )
    due = world.clock.now() - timedelta(hours=1)
    stale = [
        attempt_factory(
            id=attempt_id(job=job_id("gone"), scheduled_at=due + timedelta(seconds=number)),
            due_at=due + timedelta(seconds=number),
            offer=pool,
        )
        for number in range(count)
    ]
    world.runs.insert_all(stale)


@pytest.mark.parametrize(("count", "claims"), [(200, 1), (900, 3)])
def test_a_claim_passes_over_offers_that_are_of_no_use(api: Api, count: int, claims: int) -> None:
    """Hundreds of them, so that a backlog of thousands is gone in seconds."""
    offers_of_no_use(api, count)
    wanted, found, asked = offer(api), list[str](), 0
    while not found and asked < 20:
        asked += 1
        found = [each["job_id"] for each in claim(api)]

    assert found == [wanted]
    assert asked <= claims


def test_a_claim_ends_where_offers_of_no_use_have_no_end(api: Api) -> None:
    """It settles some five hundred, and its worker asks again in half a second."""
    offers_of_no_use(api, 900)
    answer = api.send("POST", "/v1/pools/reports/claim", {"worker": "host-7"})
    settled = sum(each.state is RunState.CANCELLED for each in api.world.attempts())

    assert answer.body["runs"] == []
    assert answer.body["ask_again_after_seconds"] == 0.5
    assert 300 < settled <= 8 * 64
