"""Creating jobs: one write decides, and whatever a crash left undone a repetition finishes."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.factories import NOW, TENANT, after
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.jobs.job import Job
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.gate import NEXT_TICK_WITHIN
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import IdempotencyConflict, InvalidInput
from timegate.domain.values.payload import MAX_INLINE_BYTES
from timegate.usecases.jobs.create_job import Created, CreateJobRequest, create_job
from timegate.usecases.services.api_services import ApiServices

KEYED = CreateJobRequest(tenant=TENANT, hash="h1", idempotency_key="k1")
MILLISECOND = timedelta(milliseconds=1)


class Died(Exception):
    """The process ended here."""


def delayed(seconds: float, *, payload: str | None = None) -> JobDefinition:
    """A job that runs once."""
    return scheduled(Schedule(kind=ScheduleKind.DELAY, delay_seconds=seconds), payload=payload)


def scheduled(schedule: Schedule, *, payload: str | None = None) -> JobDefinition:
    """A job with this schedule."""
    return JobDefinition(
        name="report",
        schedule=schedule,
        action=WebhookAction(url="https://hooks.example.com/report"),
        payload=payload,
    )


def create(
    world: World,
    definition: JobDefinition,
    request: CreateJobRequest = KEYED,
    *,
    seconds: float = 0,
) -> Created:
    """Create so many seconds after ``NOW``."""
    world.clock.set(after(seconds))
    return create_job(request, definition, api_services(world), now=world.clock.now())


@pytest.mark.parametrize(
    ("delay", "stored"),
    [
        pytest.param(NEXT_TICK_WITHIN, 1, id="the next tick may miss it"),
        pytest.param(NEXT_TICK_WITHIN + MILLISECOND, 0, id="the next tick is in time"),
    ],
)
def test_a_job_due_before_the_next_tick_is_materialised_at_once(
    delay: timedelta, stored: int
) -> None:
    """Ticks fire anywhere in their minute; later jobs are left to the planner."""
    world = World()
    create(world, delayed(delay.total_seconds()))
    counts = world.telemetry.counts

    assert len(world.attempts()) == stored
    assert (counts["JobsPlanned"], counts["RunsPlanned"]) == (stored, stored)


def counted(seconds: int) -> JobDefinition:
    """A job that runs once, and counts its places: it is stored before its run is planned."""
    kind = ScheduleKind.RATE
    return scheduled(Schedule(kind=kind, every_seconds=seconds, max_runs=1))


def test_a_job_is_stored_with_its_first_run_by_one_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """A creator that dies at it leaves neither; the caller's repetition creates both."""
    world = World()

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "create_job", Mock(side_effect=Died))
        with pytest.raises(Died):
            create(world, delayed(5))
    before = dict(world.tables.jobs)
    again = create(world, delayed(5), seconds=2)

    assert before == {}
    assert not again.replayed
    # Its store decides if a tally counts it.
    stored = next(iter(world.tables.jobs.values())).timing
    assert replace(again.job.timing, untallied=True) == stored
    assert (again.job.timing.next_run_at, again.job.timing.runs_planned) == (None, 1)
    assert [attempt.due_at for attempt in world.attempts()] == [after(7)]


@pytest.mark.parametrize(
    ("every_seconds", "together"),
    [
        pytest.param(7, True, id="85-runs-in-ten-minutes"),
        pytest.param(6, False, id="100-runs-in-ten-minutes"),
    ],
)
def test_a_transaction_has_room_for_so_many_first_runs(
    monkeypatch: pytest.MonkeyPatch, every_seconds: int, together: bool
) -> None:
    """With more, the job is stored alone, and its runs by the steps of a tick."""
    world = World()
    openings: list[int] = []
    store = world.runs.create_job

    def watch(
        job: Job, attempts: Sequence[Attempt], *, limit: int | None, repeatable: bool
    ) -> bool:
        openings.append(len(attempts))
        return store(job, attempts, limit=limit, repeatable=repeatable)

    monkeypatch.setattr(world.runs, "create_job", watch)
    kind = ScheduleKind.RATE
    create(world, scheduled(Schedule(kind=kind, every_seconds=every_seconds)))

    assert openings == ([600 // every_seconds] if together else [])
    assert len(world.attempts()) == 600 // every_seconds


def test_a_creator_that_dies_before_it_publishes_leaves_a_run_for_its_repetition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its repetition publishes the run that is due at once; the stream leaves that out."""
    world = World()

    with monkeypatch.context() as patch:
        patch.setattr(world.publisher, "publish_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            create(world, delayed(1))
    again = create(world, delayed(1), seconds=0.5)

    assert again.replayed
    assert len(world.publisher.sent) == 1


def test_a_creation_that_died_is_finished_by_its_repetition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The job is stored, so the key is taken; its run must not be lost for that."""
    world = World()

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            create(world, counted(5))
    again = create(world, counted(5), seconds=2)

    assert again.replayed
    assert world.states() == [RunState.QUEUED]
    assert again.job.timing.full
    assert world.attempts()[0].due_at == after(5)


def test_a_creation_that_died_is_finished_by_the_planner_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Not every caller comes back."""
    world = World()

    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "plan_all", Mock(side_effect=Died))
        with pytest.raises(Died):
            create(world, counted(100))
    world.tick()

    assert world.states() == [RunState.QUEUED]


def test_the_payload_is_stored_before_the_job_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A blob without a job is litter; a job without its blob would fail every run."""
    world = World()
    blobs_at_creation: list[int] = []
    create_in_store = world.runs.create_job

    def watch(
        job: Job, attempts: Sequence[Attempt], *, limit: int | None, repeatable: bool
    ) -> bool:
        blobs_at_creation.append(len(world.blobs.blobs))
        return create_in_store(job, attempts, limit=limit, repeatable=repeatable)

    monkeypatch.setattr(world.runs, "create_job", watch)
    create(world, delayed(5, payload=f'"{"x" * MAX_INLINE_BYTES}"'))

    assert blobs_at_creation == [1]


def test_of_two_racing_creators_the_second_learns_of_the_first() -> None:
    """Same key and body: both have the job. Same key, another body: one has a conflict."""
    world = World()
    first = create(world, delayed(600))
    second = create(world, delayed(600), seconds=0.001)

    assert (first.replayed, second.replayed) == (False, True)
    assert second.job.job_id == first.job.job_id
    with pytest.raises(IdempotencyConflict):
        create(world, delayed(700), replace(KEYED, hash="h2"))


def test_what_is_invalid_by_time_alone_is_refused_to_strangers() -> None:
    """Only the very request that created the job is told so again."""
    world = World()
    at = Schedule(kind=ScheduleKind.AT, at=after(60))
    create(world, scheduled(at))
    same = create(world, scheduled(at), seconds=120)

    assert same.replayed
    with pytest.raises(InvalidInput, match="already passed"):
        create(world, scheduled(at), replace(KEYED, hash="h2"), seconds=120)
    with pytest.raises(InvalidInput, match="already passed"):
        create(world, scheduled(at), replace(KEYED, idempotency_key=None), seconds=120)


def test_ids_of_jobs_without_a_key_are_made_from_fresh_seeds() -> None:
    """One process makes many; none may repeat."""
    world = World()
    services: ApiServices = api_services(world)
    request = replace(KEYED, idempotency_key=None)
    ids = {create_job(request, delayed(600), services, now=NOW).job.job_id for _ in range(100)}

    assert len(ids) == 100
