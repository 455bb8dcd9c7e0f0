"""Operations that meet unreadable records: counted, named, and no job waits for them."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, job_id
from tests.support.operations.started_operations import (
    AGAIN,
    EVERYTHING,
    add_jobs,
    backfill_factory,
    finish,
    run_of,
    start,
    start_filling,
    stored,
    tally_of,
    unfinished,
)
from tests.support.world import World
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import (
    ItemError,
    OperationKind,
    OperationStatus,
    Reprocess,
    Tally,
)
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import OperationId
from timegate.ports.operations.operation_store import OperationPage
from timegate.usecases.operations.bulk import change_in_bulk
from timegate.usecases.operations.read_operations import list_operations
from timegate.usecases.operations.start_backfill import preview_backfill

BROKEN = Schedule(kind=ScheduleKind.CRON, cron="* * * * *", timezone="Mars/Olympus")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    """Steps of two jobs."""
    monkeypatch.setattr(change_in_bulk, "JOBS_PER_STEP", 2)
    return World()


def test_an_unreadable_job_stalls_no_bulk_change(world: World) -> None:
    """It is counted as failed, with its reason; no record tells whether it is meant."""
    jobs = add_jobs(world, 5)
    world.tables.damaged.add((TENANT, jobs[2].job_id))
    operation = start(world, OperationKind.PAUSE)
    world.operate()
    done = stored(world, operation)
    detail = f"The record of job {jobs[2].job_id} cannot be read; operators must repair it."

    assert done.status is OperationStatus.FAILED
    assert done.tally == Tally(matched=5, done=4, failed=1)
    assert done.errors == (ItemError(item=jobs[2].job_id, code="job_damaged", detail=detail),)
    assert [world.tables.jobs[TENANT, each.job_id].timing.status for each in jobs] == [
        JobStatus.ACTIVE if each is jobs[2] else JobStatus.PAUSED for each in jobs
    ]
    (event,) = world.telemetry.named("job_damaged")
    assert event.fields["job_id"] == jobs[2].job_id


def test_a_job_that_no_rule_can_work_with_stalls_none_either(world: World) -> None:
    """It can be read, and names a time zone that was withdrawn: its next instant is not known."""
    jobs = add_jobs(world, 3)
    start(world, OperationKind.PAUSE, EVERYTHING, AGAIN)
    world.operate()
    paused = world.tables.jobs[TENANT, jobs[1].job_id]
    world.tables.put_job(replace(paused, timing=replace(paused.timing, schedule=BROKEN)))
    operation = start(world, OperationKind.RESUME)
    world.operate()

    assert tally_of(world, operation) == Tally(matched=3, done=2, failed=1)
    assert stored(world, operation).errors[0].code == "job_damaged"
    assert "Mars" in str(world.telemetry.named("job_damaged")[0].fields["detail"])


@pytest.fixture
def filling(world: World) -> World:
    """The tests' job, an hour old."""
    world.add_job(anchored_at=after(-3600), created_at=after(-3600), next_run_at=after(60))
    return world


def test_a_backfill_of_a_job_that_is_damaged_meanwhile_ends(filling: World) -> None:
    """The operation waits for the runs it began, and begins no more."""
    operation = start_filling(filling)
    filling.operate()
    filling.tables.damaged.add((TENANT, JOB_ID))
    for attempt in unfinished(filling):
        finish(filling, attempt)
    filling.operate()
    done = stored(filling, operation)

    assert (done.status, done.tally) == (OperationStatus.FAILED, Tally(matched=11, done=3))
    assert done.failure is not None
    assert done.failure.code == "job_damaged"


def test_a_run_that_is_damaged_meanwhile_is_not_begun_again_and_again(filling: World) -> None:
    """It counts as failed, and its place is free for the next."""
    operation = start_filling(filling)
    filling.operate()
    filling.tables.damaged.add((TENANT, run_of(after(-540))))
    steps = 0
    while stored(filling, operation).is_running and steps < 100:
        for attempt in unfinished(filling):
            if attempt.id != run_of(after(-540)):
                finish(filling, attempt)
        steps += filling.operate(steps=20)
    done = stored(filling, operation)

    assert (done.status, done.tally) == (
        OperationStatus.FAILED,
        Tally(matched=11, done=10, failed=1),
    )
    assert [(error.item, error.code) for error in done.errors] == [
        ("2026-11-21T06:51:00.000Z", "run_damaged")
    ]
    assert {a.state for a in filling.attempts()} == {RunState.SUCCEEDED, RunState.QUEUED}


def test_a_backfill_goes_on_around_a_run_that_was_damaged_before(filling: World) -> None:
    """No record tells whether it is meant: it is counted as failed, and all others are filled."""
    run = attempt_factory(due_at=after(-540))
    filling.runs.insert_all([run])
    filling.tables.damaged.add((TENANT, run.id))
    operation = start_filling(filling)
    steps = 0
    while stored(filling, operation).is_running and steps < 100:
        for attempt in unfinished(filling):
            if attempt.id != run.id:
                finish(filling, attempt)
        steps += filling.operate(steps=20)
    done = stored(filling, operation)

    assert (done.status, done.tally) == (
        OperationStatus.FAILED,
        Tally(matched=11, done=10, failed=1),
    )
    assert [(error.item, error.code) for error in done.errors] == [
        ("2026-11-21T06:51:00.000Z", "run_damaged")
    ]


def test_a_preview_does_nothing_about_a_damaged_run(filling: World) -> None:
    """It is there, and no record tells whether it is meant."""
    run = attempt_factory(due_at=after(-540))
    filling.runs.insert_all([run])
    filling.tables.damaged.add((TENANT, run.id))
    asked = backfill_factory(reprocess=Reprocess.ALL)
    preview = preview_backfill(TENANT, asked, api_services(filling), now=NOW)

    assert (preview.new, preview.unchanged, preview.reopened) == (10, 1, 0)


def test_an_operation_that_meets_an_unreadable_record_gives_up(
    filling: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instead of meeting it for ever, with every operation of its batch behind it."""
    operation = start_filling(filling)

    def damaged(*_: Any, **__: Any) -> Any:  # noqa: ANN401 - as the store's
        message = "the item is no attempt"
        raise Malformed(message)

    monkeypatch.setattr(filling.runs, "history", damaged)
    filling.operate()
    done = stored(filling, operation)

    assert (done.status, done.watch_at) == (OperationStatus.FAILED, None)
    assert done.failure is not None
    assert done.failure.code == "record_damaged"
    assert "the item is no attempt" in done.failure.detail


def test_other_operations_go_on_beside_it(world: World) -> None:
    """A damaged job of one tenant, and the next page."""
    jobs = add_jobs(world, 3)
    for each in jobs:
        world.tables.damaged.add((TENANT, each.job_id))
    world.add_job(job_id=job_id("old"), created_at=after(-60), tags={"team": "ops"})
    operation = start(world, OperationKind.PAUSE)
    world.operate()

    assert tally_of(world, operation) == Tally(matched=4, done=1, failed=3)


def test_a_listing_names_an_unreadable_operation_in_the_log(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are listed."""
    operation = start(world, OperationKind.PAUSE)
    page = OperationPage(
        rows=(operation,), damaged=((OperationId("x" * 26), "a later shape"),), cursor=None
    )
    monkeypatch.setattr(world.operations, "list_operations", lambda *_, **__: page)
    listed = list_operations(TENANT, OperationFilter(), api_services(world), limit=9, cursor=None)
    (event,) = world.telemetry.named("operation_unreadable")

    assert listed.rows == (operation,)
    assert (event.fields["operation_id"], event.fields["detail"]) == ("x" * 26, "a later shape")
    assert world.telemetry.counts["RecordsUnreadable"] == 1
