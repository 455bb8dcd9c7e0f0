"""Every sample in ``events`` is replayed: this is what its function makes of it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.functional.events.functions import EVENTS, OTHERS, SAMPLES, Functions, failed, sample
from tests.support.execution.executing import MINUTELY
from tests.support.execution.placing import placed
from tests.support.execution.telling import hook
from tests.support.factories import (
    JOB_ID,
    OTHER_TENANT,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
    lease_factory,
    running,
)
from tests.support.operations.burying import spent
from timegate.adapters.dynamo.dispatch.images import attempt_from_image
from timegate.adapters.dynamo.operations import operation_items
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.values import from_item, to_item
from timegate.domain.jobs.follow_up import Ending, FollowUp
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.operations.operation import Operation, OperationKind, OperationStatus
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.watch import MAX_RECEIVES
from timegate.domain.values.identity import Origin


def test_every_sample_is_replayed() -> None:
    """One of each function; those of the API are replayed beside its other tests."""
    files = {path.stem for path in EVENTS.glob("*.json") if not path.stem.startswith("api_")}

    assert {*SAMPLES.values(), *OTHERS} == files


@pytest.mark.parametrize("function", ["relay", "outcomes"])
def test_the_images_are_what_is_stored_today(function: str) -> None:
    """A sample that went out of date would test nothing."""
    changes = [record["dynamodb"] for record in sample(function)["Records"]]
    images = [change[name] for change in changes for name in change if name.endswith("Image")]
    attempts = [attempt_from_image(image) for image in images]

    assert images == [
        to_item(attempt_to_fields(attempt, shards=placed(4), retention=timedelta(days=30)))
        for attempt in attempts
    ]


def test_the_operations_are_what_is_stored_today() -> None:
    """An image is read and written back unchanged."""
    images = [record["dynamodb"]["NewImage"] for record in sample("operations")["Records"]]
    operations = [operation_items.operation_from_fields(from_item(image)) for image in images]

    assert images == [
        to_item(operation_items.operation_to_fields(operation, retention=timedelta(days=30)))
        for operation in operations
    ]


def test_the_operator_makes_a_step_of_each(functions: Functions) -> None:
    """The jobs of the team are paused; the end of a run that was begun is counted."""
    world = functions.world
    begun = store_operations(functions)
    world.add_job(next_run_at=after(60))
    paused = world.add_job(job_id=job_id("ops"), tags={"team": "ops"})
    first = attempt_factory(
        id=attempt_id(scheduled_at=after(-540)), operation=begun[1].operation_id
    )
    world.runs.insert_all([replace(first, state=RunState.SUCCEEDED, watch_at=None)])
    responses = [functions.send("operations", sample("operations")) for _ in range(2)]
    pause, fill = (world.operations.get(TENANT, each.operation_id) for each in begun)

    assert [failed(response) for response in responses] == [[], []]
    assert (pause.status, pause.tally.done) == (OperationStatus.SUCCEEDED, 1)
    assert world.jobs.get(TENANT, paused.job_id).timing.status is JobStatus.PAUSED
    assert (fill.step, fill.tally.done, len(fill.opened)) == (3, 2, 3)
    assert len(world.attempts()) == 4


def test_outcomes_wakes_the_operation_that_waits(functions: Functions) -> None:
    """Once for each time it is told; the operator then finds out what ended."""
    store_operations(functions)
    before = len(functions.world.tables.operation_images)
    responses = [functions.send("outcomes", sample("outcomes")) for _ in range(2)]
    images = functions.world.tables.operation_images

    assert [failed(response) for response in responses] == [[], []]
    assert [each.kind for each in images[before:]] == [OperationKind.BACKFILL] * 2


def test_outcomes_has_an_end_told(functions: Functions) -> None:
    """Once, however often it is shown the record: a run of its own, for the relay."""
    functions.world.add_job(job_id=job_id("told"), notifications=(hook(Occasion.FAILED),))
    responses = [functions.send("outcomes", sample("outcomes")) for _ in range(2)]
    (notice,) = functions.world.attempts()

    assert [failed(response) for response in responses] == [[], []]
    assert (notice.state, notice.direct) == (RunState.QUEUED, False)
    assert str(notice.id.run).endswith(f"-s1-failed-{hook(Occasion.FAILED).id}")


def test_outcomes_begins_what_follows(functions: Functions) -> None:
    """Once, however often it is shown the record: a run of the other job, for the relay."""
    follow_up = FollowUp(job_id=job_id("repair"), on=(Ending.FAILED,))
    functions.world.add_job(job_id=job_id("told"), then=(follow_up,))
    functions.world.add_job(job_id=job_id("repair"))
    responses = [functions.send("outcomes", sample("outcomes")) for _ in range(2)]
    (run,) = functions.world.attempts()

    assert [failed(response) for response in responses] == [[], []]
    assert (run.state, run.direct) == (RunState.QUEUED, False)
    assert (run.id.run.job_id, run.id.run.origin) == (job_id("repair"), Origin.FOLLOW_UP)


def store_operations(functions: Functions) -> list[Operation]:
    """Store the sample's operations as they stand in it."""
    records = sample("operations")["Records"]
    images = [from_item(record["dynamodb"]["NewImage"]) for record in records]
    stored = map(operation_items.operation_from_fields, images)
    return [functions.world.operations.create(each) for each in stored]


def test_the_auditor_finds_what_has_no_record(functions: Functions) -> None:
    """An instant of the sample's shards that passed unnoticed; what is on record is fine."""
    world = functions.world
    young = dict.fromkeys(("created_at", "anchored_at"), after(-630)) | {"next_run_at": after(60)}
    world.add_job(schedule=MINUTELY, **young)
    world.runs.insert_all([attempt_factory(due_at=after(-n * 60 - 30)) for n in range(10)])
    fine = functions.send("auditor", sample("auditor"))
    world.add_job(schedule=MINUTELY, job_id=job_id("lossy"), **young)
    missed = functions.send("auditor", sample("auditor"))

    assert fine == {"shards": 2, "jobs": 1, "instants": 5, "unaccounted": 0, "lost": 0}
    assert (missed, functions.heartbeat.beats) == (fine | {"unaccounted": 5}, [0])


def test_the_relay_publishes_what_is_queued(functions: Functions) -> None:
    """A new run and one the sweeper touched: each to its queue, delayed to its instant (R4)."""
    response = functions.send("relay", sample("relay"))

    assert failed(response) == []
    assert [
        (each.message.queue_key, each.message.attempt.run.job_id, each.delay_seconds)
        for each in functions.world.publisher.sent
    ] == [("normal-short", job_id("minutely"), 60), ("critical-short", job_id("far"), 600)]


def test_outcomes_completes_what_has_nothing_left(functions: Functions) -> None:
    """However the last run ended; replaying the records changes nothing."""
    for name in ("once", "broken"):
        functions.world.add_job(job_id=job_id(name), next_run_at=None)
    responses = [functions.send("outcomes", sample("outcomes")) for _ in range(2)]
    jobs = [functions.world.jobs.get(TENANT, job_id(name)) for name in ("once", "broken")]

    assert [failed(response) for response in responses] == [[], []]
    assert [(job.timing.status, job.timing.version) for job in jobs] == [
        (JobStatus.COMPLETED, 2),
        (JobStatus.COMPLETED, 2),
    ]


def ready_to_execute(functions: Functions) -> None:
    """The jobs and attempts that the executor's messages name."""
    for name in ("minutely", "once"):
        functions.world.add_job(job_id=job_id(name), schedule=MINUTELY, anchored_at=after(-3600))
    functions.world.runs.insert_all(
        [
            attempt_factory(id=attempt_id(job=job_id("minutely"))),
            attempt_factory(
                id=attempt_id(2, job=job_id("once"), scheduled_at=after(-30)), due_at=after(-1)
            ),
        ]
    )


def test_the_executor_executes_each_run_once(functions: Functions) -> None:
    """A message that comes again finds it done (N7)."""
    ready_to_execute(functions)
    responses = [functions.send("executor", sample("executor")) for _ in range(2)]
    called = {call.idempotency_key for call in functions.world.target.calls}

    assert [failed(response) for response in responses] == [[], []]
    assert functions.world.states() == [RunState.SUCCEEDED, RunState.SUCCEEDED]
    assert called == {str(attempt.id.run) for attempt in functions.world.attempts()}
    assert len(functions.world.target.calls) == 2
    assert functions.world.telemetry.counts["DuplicatesRefused"] == 2


def test_the_dead_letter_handler_buries_what_its_queue_gave_up_on(functions: Functions) -> None:
    """Runs that were begun and abandoned at each receive, whosever they are (R11)."""
    lease = lease_factory(fence=MAX_RECEIVES, expires_at=after(-1), deadline_at=after(-1))
    abandoned = attempt_factory(
        tenant=OTHER_TENANT,
        id=attempt_id(job=job_id("killer"), scheduled_at=after(-600)),
        due_at=after(-600),
    )
    functions.world.runs.insert_all(
        [
            spent(attempt_factory(id=attempt_id(job=job_id("minutely")))),
            spent(running(abandoned, lease=lease)),
        ]
    )
    response = functions.send("dead_letter", sample("dead_letter"))

    assert failed(response) == []
    assert [(each.state, each.reason) for each in functions.world.attempts()] == [
        (RunState.DEAD_LETTERED, Reason.POISON_MESSAGE)
    ] * 2
    assert functions.rejects.parked == []


def test_a_planners_tick_stores_what_is_due(functions: Functions) -> None:
    """Eleven runs of a minutely job in a look-ahead of ten minutes; its answer counts them."""
    functions.world.add_job()
    answer: dict[str, Any] = functions.send("planner", sample("planner"))

    assert answer == {"shards": 2, "jobs": 1, "runs": 11}
    assert len(functions.world.attempts()) == 11
    assert functions.world.jobs.get(TENANT, JOB_ID).timing.next_run_at == after(660)


def test_a_sweepers_tick_queues_again_what_was_lost(functions: Functions) -> None:
    """An unclaimed attempt is published once more; its answer counts them (O6)."""
    lost = attempt_factory(due_at=after(-120), created_at=after(-180), watch_at=after(-30))
    functions.world.runs.insert_all([lost])
    answer = functions.send("sweeper", sample("sweeper"))
    functions.world.stream()

    assert answer == {"shards": 2, "looked_at": 1, "changed": 1}
    assert [lost.id] * 2 == [each.message.attempt for each in functions.world.publisher.sent]
