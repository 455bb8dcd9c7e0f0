"""The relay publishes runs and completes jobs; dead-letter queues end runs without a worker."""

from dataclasses import replace

import pytest

from tests.support.factories import (
    EVERY_MINUTE,
    NOW,
    after,
    attempt_factory,
    lease_factory,
    running,
)
from tests.support.world import World
from timegate.domain.actions.pool import Offer
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import watched_end
from timegate.usecases.dispatch.relay_runs import relay_runs
from timegate.usecases.operations.bury_message import bury_message

LAST_RUN = replace(running(), final=True)


def relay(world: World, *attempts: Attempt) -> list[bool]:
    """Relay these attempts now."""
    return relay_runs(
        attempts, world.publisher, world.telemetry, now=world.clock.now(), lead_seconds=1.0
    )


def test_each_run_goes_to_the_queue_of_its_priority_and_class() -> None:
    """With the delay that its lane asks for."""
    world = World()
    sharp = attempt_factory(
        due_at=after(30), priority=Priority.CRITICAL, precision=Precision.SUBSECOND
    )
    long = attempt_factory(due_at=after(60), resource_class=ResourceClass.LONG)
    relay(world, sharp, long)

    assert [(d.message.queue_key, d.delay_seconds) for d in world.publisher.sent] == [
        ("critical-short", 29),
        ("normal-long", 60),
    ]


def test_what_is_not_queued_needs_no_message() -> None:
    """A replayed record of a run that was claimed meanwhile publishes nothing."""
    world = World()

    assert relay(world, running()) == [True]
    assert world.publisher.sent == []


def test_a_refusing_queue_holds_up_only_its_own_runs() -> None:
    """The stream is told which records to bring again."""
    world = World()
    world.publisher.refusing.add("low-short")
    low = attempt_factory(priority=Priority.LOW)

    assert relay(world, attempt_factory(), low, attempt_factory()) == [True, False, True]


def test_scheduling_lag_counts_from_the_due_instant_and_is_never_negative() -> None:
    """Published early is on time."""
    world = World()
    relay(world, attempt_factory(due_at=after(-2)), attempt_factory(due_at=after(60)))

    assert world.telemetry.measures["SchedulingLagMs"] == [2000, 0]


@pytest.mark.parametrize(
    ("ended", "completed"),
    [
        pytest.param({"state": RunState.SUCCEEDED}, True, id="last run succeeded"),
        pytest.param({"state": RunState.DEAD_LETTERED}, True, id="last run dead-lettered"),
        pytest.param({"state": RunState.FAILED, "reason": Reason.RETRIED}, False, id="retried"),
        pytest.param({"state": RunState.SUCCEEDED, "final": False}, False, id="not the last run"),
    ],
)
def test_a_job_ends_with_its_last_run(ended: dict[str, object], *, completed: bool) -> None:
    """However that ends, and not before its retries have."""
    world = World()
    job = world.add_job(next_run_at=None)
    world.runs.insert_all([LAST_RUN])
    world.runs.replace(LAST_RUN, watched_end(replace(LAST_RUN, ended_at=NOW, **ended)))  # type: ignore[arg-type]
    world.stream()

    status = world.jobs.get(job.tenant, job.job_id).timing.status
    assert (status is JobStatus.COMPLETED) is completed


def test_a_job_edited_meanwhile_goes_on() -> None:
    """It waits for a fire again, so its former last run no longer ends it."""
    world = World()
    job = world.add_job(next_run_at=after(60))
    ended = replace(LAST_RUN, state=RunState.SUCCEEDED, ended_at=NOW)
    world.runs.insert_all([watched_end(ended)])
    world.stream()

    assert world.jobs.get(job.tenant, job.job_id).timing.status is JobStatus.ACTIVE


def held(*, until: float, fence: int, alone: int = 3) -> Attempt:
    """Leased for the last time until so many seconds after ``NOW``; so often beside no other."""
    lease = lease_factory(fence=fence, expires_at=after(until))
    return replace(running(lease=lease), alone=alone)


@pytest.mark.parametrize(
    ("attempt", "state"),
    [
        pytest.param(held(until=0, fence=4), RunState.DEAD_LETTERED, id="killed each time"),
        pytest.param(held(until=0, fence=3), RunState.RUNNING, id="killed, and once not claimed"),
        pytest.param(
            held(until=0, fence=4, alone=2), RunState.RUNNING, id="killed, and once beside others"
        ),
        pytest.param(held(until=0, fence=4, alone=0), RunState.RUNNING, id="others killed"),
        pytest.param(held(until=0.001, fence=4), RunState.RUNNING, id="alive"),
        pytest.param(attempt_factory(), RunState.WAITING, id="never claimed"),
        pytest.param(
            attempt_factory(fence=4, alone=3), RunState.DEAD_LETTERED, id="claimed and requeued"
        ),
        pytest.param(
            attempt_factory(fence=4, alone=2), RunState.WAITING, id="requeued, once beside others"
        ),
        pytest.param(
            attempt_factory(fence=3), RunState.WAITING, id="requeued, and once not claimed"
        ),
        pytest.param(
            attempt_factory(fence=4, releases=1, alone=3),
            RunState.WAITING,
            id="once it was handed back",
        ),
        pytest.param(
            attempt_factory(state=RunState.SUCCEEDED, fence=4), RunState.SUCCEEDED, id="ended"
        ),
    ],
)
def test_a_queue_that_gives_up_buries_only_what_kills(attempt: Attempt, state: RunState) -> None:
    """The sweeper decides about a receive without a claim: an overloaded store kills no worker.

    It publishes a run that waits for the message which was given up.
    """
    world = World()
    world.runs.insert_all([attempt])
    bury_message(RunMessage.of(attempt), world.runs, world.telemetry, now=NOW)

    assert world.states() == [state]


@pytest.mark.parametrize(("seconds", "sent"), [(59, 0), (60, 1)])
def test_a_run_whose_message_was_given_up_is_published_a_minute_later(
    seconds: int, sent: int
) -> None:
    """However full its queue is: the messages that wait there are of other runs."""
    world = World()
    world.add_job(anchored_at=after(-3600), schedule=EVERY_MINUTE)
    world.runs.insert_all([attempt_factory()])
    world.backlog.busy.add("normal-short")
    world.stream()
    (message,) = world.receive()
    for _ in range(2):
        bury_message(message.message, world.runs, world.telemetry, now=NOW)
    world.clock.advance(seconds)
    world.sweep()
    world.stream()

    assert len(world.publisher.sent) == sent

    world.execute(world.receive())

    assert len(world.target.calls) == sent


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param(
            attempt_factory(offer=Offer(pool="reports", handler="")), id="offered in a pool"
        ),
        pytest.param(attempt_factory(due_at=after(600)), id="put off since"),
    ],
)
def test_a_run_that_waits_for_no_such_message_stays_as_it_is(attempt: Attempt) -> None:
    """Its record is its offer, or another message is its own."""
    world = World()
    world.runs.insert_all([attempt])
    message = RunMessage.of(replace(attempt, due_at=NOW))
    bury_message(message, world.runs, world.telemetry, now=NOW)

    assert world.attempts() == [attempt]
