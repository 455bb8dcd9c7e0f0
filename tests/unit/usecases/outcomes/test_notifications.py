"""Notifications: who asks is told, of what happened, and no other job pays for it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.telling import (
    ALERTS,
    LEDGER,
    documents,
    hook,
    notices,
    run_all,
    telling,
    told,
)
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    freeze_factory,
)
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.execution.notices import RETRY
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion, with_given_up
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.secrets import SecretRef
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")
ONCE = RetryPolicy(max_attempts=1)


def test_an_end_is_told_as_it_was(world: World) -> None:
    """Once, under a key of its own, with its secret's name; and no hook is told of that."""
    secret = SecretRef(ssm_parameter="/timegate-target/acme/keys")
    asked = Subscription(
        channel=WebhookChannel(url=ALERTS, signing_secret=secret), on=tuple(Occasion)
    )
    job, attempt = telling(world, asked, late_after_seconds=60)
    run_all(world)
    (notice,) = notices(world)
    (call,) = told(world)
    (document,) = documents(world)

    assert call.action == WebhookAction(url=ALERTS, signing_secret=secret)
    assert call.idempotency_key == document["notification_id"] == str(notice.id.run)
    assert document == {
        "version": 1,
        "type": "run.succeeded",
        "notification_id": f"{attempt.id.run.job_id}.n20261121T070000000Z-s1-succeeded-{asked.id}",
        "at": "2026-11-21T07:00:00.000Z",
        "job": {"job_id": job.job_id, "name": job.name},
        "run": {
            "run_id": str(attempt.id.run),
            "scheduled_at": "2026-11-21T07:00:00.000Z",
            "attempt": 1,
            "state": "succeeded",
            "reason": None,
            "explanation": "It ran and succeeded.",
            "due_at": "2026-11-21T07:00:00.000Z",
            "started_at": "2026-11-21T07:00:00.000Z",
            "ended_at": "2026-11-21T07:00:00.000Z",
            "lateness_ms": 0,
            "error": None,
            "result": "ok",
            "finish_by": None,
        },
    }
    assert notice.state is RunState.SUCCEEDED
    assert len(world.target.calls) == 2


@pytest.mark.parametrize(
    ("outcome", "job", "occasion", "reason"),
    [
        pytest.param(GONE, {}, Occasion.FAILED, Reason.PERMANENT, id="failed"),
        pytest.param(
            BUSY, {"retry": ONCE}, Occasion.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED, id="dead"
        ),
        pytest.param(
            replace(BUSY, kind=FailureKind.TIMEOUT),
            {"delivery": DeliveryMode.AT_MOST_ONCE},
            Occasion.TIMED_OUT,
            Reason.AT_MOST_ONCE,
            id="timed-out",
        ),
        pytest.param(None, {"start_within_seconds": 1}, Occasion.SKIPPED, Reason.LATE, id="late"),
        pytest.param(
            None,
            {"status": JobStatus.CANCELLED},
            Occasion.CANCELLED,
            Reason.JOB_CANCELLED,
            id="cancelled",
        ),
    ],
)
def test_every_end_is_told_to_those_who_asked_for_it(
    world: World,
    outcome: Failure | None,
    job: dict[str, Any],
    occasion: Occasion,
    reason: Reason,
) -> None:
    """Claimed and unclaimed runs notify alike; a hook for other ends receives nothing."""
    others = tuple(each for each in Occasion if occasion not in with_given_up([each]))
    hooks = (hook(occasion), hook(*others, url=LEDGER))
    telling(world, *hooks, due=-10, late_after_seconds=60, **job)
    if outcome is not None:
        world.target.then(outcome)
    run_all(world)
    (document,) = documents(world)

    assert document["type"] == f"run.{occasion}"
    assert (document["run"]["state"], document["run"]["reason"]) == (occasion, reason)
    assert (document["run"]["error"] is None) is (outcome is None)
    assert told(world, LEDGER) == []


@pytest.mark.parametrize("on", [(Occasion.FAILED,), (Occasion.FAILED, Occasion.DEAD_LETTERED)])
def test_tries_that_are_used_up_are_a_failure(world: World, on: tuple[Occasion, ...]) -> None:
    """A channel of failures is told of a dead letter, once."""
    telling(world, hook(*on), retry=ONCE)
    world.target.then(BUSY)
    run_all(world)

    assert [each["type"] for each in documents(world)] == ["run.dead_lettered"]


def test_a_failure_that_is_tried_again_is_no_end(world: World) -> None:
    """The last attempt is told of, as the number it was."""
    telling(world, hook(*Occasion), late_after_seconds=60, finish_by=FinishBy(within_seconds=9_999))
    world.target.then(BUSY)
    run_all(world, for_hours=1)
    (document,) = documents(world)

    assert (document["type"], document["run"]["attempt"]) == ("run.succeeded", 2)


def test_a_run_that_was_opened_again_is_told_of_again(world: World) -> None:
    """It ends with another attempt."""
    job, attempt = telling(world, hook(Occasion.SUCCEEDED))
    run_all(world)
    last = world.runs.attempts(TENANT, attempt.id.run)[-1]
    world.runs.insert_all([replace(reopened(last, job.timing, now=NOW), direct=False)])
    run_all(world)

    assert [each["run"]["attempt"] for each in documents(world)] == [1, 2]


def test_a_job_without_hooks_pays_nothing(world: World) -> None:
    """Its runs know of no hook, and their ends wake no function."""
    telling(world)
    telling(world, hook(Occasion.FAILED), due=60, job_id=JOB_ID)
    run_all(world)

    assert [attempt.notify for attempt in world.attempts()] == [(), ()]
    assert [image.after.is_followed for image in world.tables.images] == [False] * len(
        world.tables.images
    )


def test_an_end_without_a_hook_wakes_no_function(world: World) -> None:
    """The claim knows what is to be heard; this end is none of it."""
    telling(world, hook(Occasion.FAILED))
    run_all(world)
    (attempt,) = world.attempts()

    assert attempt.notify == (Occasion.FAILED, Occasion.DEAD_LETTERED)
    assert not attempt.is_followed


def test_what_ended_during_an_outage_is_looked_after_from_now_on(world: World) -> None:
    """The stream was late by an hour: the sweeper has come past the minutes in between."""
    telling(world, hook(Occasion.SUCCEEDED))
    world.stream()
    world.execute(world.receive())
    world.clock.advance(3600)
    world.stream()
    (notice,) = notices(world)

    assert (notice.due_at, notice.watch_at) == (NOW, after(3660))


def test_a_hook_that_is_gone_is_not_called(world: World) -> None:
    """A notification that waits for it is skipped."""
    telling(world, hook(Occasion.SUCCEEDED))
    world.stream()
    world.execute(world.receive())
    world.stream()
    update_job(REF, JobChanges(notifications=()), api_services(world), now=NOW)
    run_all(world)
    (notice,) = notices(world)

    assert (notice.state, notice.reason) == (RunState.SKIPPED, Reason.SUPERSEDED)
    assert told(world) == []


def test_an_address_that_does_not_answer_is_tried_again_and_given_up(world: World) -> None:
    """By a policy of its own: its job's is one attempt."""
    telling(world, hook(Occasion.SUCCEEDED), retry=ONCE)
    world.stream()
    world.execute(world.receive())
    world.target.then(*[BUSY] * RETRY.max_attempts)
    run_all(world, for_hours=4)
    last = notices(world)[-1]

    assert len(told(world)) == RETRY.max_attempts
    assert {call.idempotency_key for call in told(world)} == {str(last.id.run)}
    assert [each["type"] for each in documents(world)] == ["run.succeeded"] * RETRY.max_attempts
    assert (last.state, last.reason) == (RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED)
    assert last.ended_at is not None
    assert last.ended_at - NOW > timedelta(hours=1)


@pytest.mark.parametrize("obstacle", ["paused", "frozen", "slots", "start-limit"])
def test_what_tells_of_the_past_is_not_held_up(world: World, obstacle: str) -> None:
    """By nothing that holds up the job's own runs."""
    own: dict[str, dict[str, Any]] = {
        "slots": {"overlap": Overlap(policy=OverlapPolicy.FORBID)},
        "start-limit": {"start_within_seconds": 1},
    }
    telling(world, hook(Occasion.SUCCEEDED), **own.get(obstacle, {}))
    world.stream()
    world.execute(world.receive())
    if obstacle == "paused":
        pause_job(REF, api_services(world), now=NOW)
    if obstacle == "frozen":
        freeze = freeze_factory(starts_at=NOW, ends_at=after(3600))
        world.restrictions.put_freeze(TENANT, freeze, now=NOW)
    world.stream()
    world.clock.advance(30)
    if obstacle == "slots":
        world.runs.insert_all([attempt_factory(due_at=after(29))])
    run_all(world)

    assert documents(world)[0]["run"]["scheduled_at"] == "2026-11-21T07:00:00.000Z"
    assert {each.state for each in notices(world)} == {RunState.SUCCEEDED}


def test_a_workers_job_is_told_of_through_the_queues(world: World) -> None:
    """Its runs are offered in a pool; what tells of them is not."""
    offer = Offer(pool="ledgers", handler="close")
    action = WorkerAction(pool="ledgers", handler="close")
    _, attempt = telling(world, hook(Occasion.CANCELLED), offer=offer, action=action)
    cancel_run(TENANT, attempt.id.run, api_services(world), now=NOW)
    run_all(world)

    assert [each["type"] for each in documents(world)] == ["run.cancelled"]


def test_an_unknown_hook_is_not_told(world: World) -> None:
    """The record of a damaged job's run is kept for a person, and holds up nothing."""
    telling(world, hook(Occasion.SUCCEEDED))
    world.stream()
    world.execute(world.receive())
    world.tables.damaged.add((TENANT, JOB_ID))
    world.stream()
    (parked,) = world.rejects.parked

    assert parked.source == "ends"
    assert notices(world) == []
