"""A retry that waits says why, and until when: also where its target asked for the time."""

import pytest

from tests.support.api import api_services
from tests.support.execution.executing import prepare
from tests.support.factories import TENANT, attempt_factory
from tests.support.world import World
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.usecases.ledger.explain_instant import explain_instant

QUEUED = "It is queued, and starts when it is due and a worker is free."
PLANNED = "It is planned, and is queued ten minutes before it is due;"


def failed(world: World, *, retry_after: float | None) -> str:
    """Return the explanation of a run whose first attempt failed and whose next one waits."""
    attempt = attempt_factory()
    policy = RetryPolicy(max_attempts=3, initial_delay_seconds=30, jitter=False)
    message = prepare(world, attempt, retry=policy)
    world.target.then(
        Failure(
            kind=FailureKind.RETRYABLE,
            code="http_503",
            type="HttpStatus",
            message="busy",
            retry_after_seconds=retry_after,
        )
    )
    world.execute([message])
    job_id = attempt.id.run.job_id
    services = api_services(world)
    explained = explain_instant(
        TENANT, job_id, attempt.id.run.scheduled_at, services, now=world.clock.now()
    )
    assert explained.account.verdict is Verdict.RUN
    return explained.account.explanation


@pytest.mark.parametrize(
    ("retry_after", "begins", "ends"),
    [
        pytest.param(
            3_600.0,
            PLANNED,
            "attempt 1 of 3, next at 2026-11-21T08:00:00.000Z, as its target asked (Retry-After).",
            id="parked",
        ),
        pytest.param(10.0, QUEUED, "next at 2026-11-21T07:00:30.000Z.", id="less than its own"),
        pytest.param(None, QUEUED, "next at 2026-11-21T07:00:30.000Z.", id="not asked for"),
    ],
)
def test_a_run_that_its_target_put_off_says_so(
    retry_after: float | None, begins: str, ends: str
) -> None:
    """A reader who asks why nothing happens learns who asked for the pause, and when it ends."""
    world = World()
    told = failed(world, retry_after=retry_after)

    assert told.startswith(begins)
    assert told.endswith(ends)
