"""Operations while processes die in any store call, and stores refuse: each job and run once.

A fault strikes before a call takes effect or after; what dies is gone, what is refused is told so.
A process that was interrupted is asked again: callers by their key, the operator by its stream.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after, job_id
from tests.support.operations.started_operations import (
    AGAIN,
    EVERYTHING,
    add_jobs,
    finish,
    start,
    start_filling,
    unfinished,
)
from tests.support.stores.faults import ENOUGH, Died, Fault, Faults, struck, undisturbed
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.definition import JobDefinition
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.operation import Operation, OperationKind, OperationStatus, Tally
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import JobId
from timegate.ports.operations.operation_store import OperationRef
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.create_job import CreateJobRequest
from timegate.usecases.jobs.create_jobs import Asked, create_jobs
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.operations.bulk import change_in_bulk
from timegate.usecases.operations.work_operations import work_operations

JOBS = 5
BULK = [OperationKind.PAUSE, OperationKind.RESUME, OperationKind.CANCEL]
AFTERWARDS = {
    OperationKind.PAUSE: JobStatus.PAUSED,
    OperationKind.RESUME: JobStatus.ACTIVE,
    OperationKind.CANCEL: JobStatus.CANCELLED,
}


def until_answered(faults: Faults, ask: Callable[[], Operation]) -> Operation:
    """The caller asks again, with the same key, until an answer comes."""
    for _ in range(ENOUGH):
        faults.is_dead = False
        with suppress(Died, Throttled):
            return ask()
    message = "no answer"
    raise AssertionError(message)


def carry_on(
    world: World,
    faults: Faults,
    operation: Operation,
    meanwhile: Callable[[], object] = lambda: None,
) -> Operation:
    """Run stream, operator, sweeper and executors as ever, until it ends.

    Records shown to an operator that died, or was refused, come again; ``meanwhile``: after a
    death, and before that.
    """
    for number in range(ENOUGH):
        if faults.is_dead:
            faults.is_dead = False
            meanwhile()
        stored = world.tables.operations[operation.tenant, operation.operation_id]
        if not stored.is_running:
            return stored
        with suppress(Died, Throttled):
            if _deliver(world):
                continue
            _end_what_runs(world)
            if world.read_operations == len(world.tables.operation_images):
                world.clock.advance(301)
                world.sweep(owner=f"sweeper-{number}")
    message = f"it does not end: {stored}"
    raise AssertionError(message)


def _deliver(world: World) -> bool:
    """Show the operator the next record; whether there was one."""
    images = world.tables.operation_images
    if world.read_operations == len(images):
        return False
    shown = images[world.read_operations]
    ref = OperationRef(tenant=shown.tenant, id=shown.operation_id)
    if not shown.is_running or work_operations([ref], world.operating) == [True]:
        world.read_operations += 1
    return True


def _end_what_runs(world: World) -> None:
    """Runs of a backfill succeed, whatever befalls those who hear of it."""
    for attempt in unfinished(world):
        if attempt.operation is not None:
            finish(world, attempt)


def bulk(kind: OperationKind, plan: Mapping[int, Fault]) -> int:
    """A bulk change of five jobs under these faults; how many calls it took."""
    world = World()
    jobs = add_jobs(world, JOBS)
    if kind is OperationKind.RESUME:
        start(world, OperationKind.PAUSE)
        world.operate()
        world.clock.set(after(600))
    versions = [world.jobs.get(TENANT, each.job_id).timing.version for each in jobs]
    with struck(world, plan) as faults:
        operation = until_answered(faults, lambda: start(world, kind, EVERYTHING, AGAIN))
        done = carry_on(world, faults, operation)
    stored = [world.jobs.get(TENANT, each.job_id) for each in jobs]
    gaps = [world.jobs.gaps(TENANT, each.job_id, since=NOW, limit=9) for each in jobs]

    assert [job.timing.version for job in stored] == [version + 1 for version in versions]
    assert {job.timing.status for job in stored} == {AFTERWARDS[kind]}
    assert done.tally == Tally(matched=JOBS, done=JOBS)
    assert (done.status, done.errors, done.watch_at) == (OperationStatus.SUCCEEDED, (), None)
    # The pause, or the end, leaves one record behind, from the first instant on.
    left = [] if kind is OperationKind.PAUSE else [NOW]
    assert [[gap.first for gap in each] for each in gaps] == [left] * JOBS
    return faults.calls


def undone(plan: Mapping[int, Fault]) -> int:
    """A bulk pause; whenever an operator has died, a caller resumes what it had paused."""
    world = World()
    jobs = add_jobs(world, JOBS)
    resumed: set[JobId] = set()

    def resume() -> None:
        for each in jobs:
            ref = JobRef(tenant=TENANT, job_id=each.job_id)
            stored = world.tables.jobs[TENANT, each.job_id]
            if stored.timing.status is JobStatus.PAUSED:
                resume_job(ref, api_services(world), now=world.clock.now())
                resumed.add(each.job_id)

    with struck(world, plan) as faults:
        operation = until_answered(faults, lambda: start(world, OperationKind.PAUSE))
        done = carry_on(world, faults, operation, lambda: undisturbed(faults, resume))
    stored = [world.jobs.get(TENANT, each.job_id).timing for each in jobs]

    assert [timing.status is JobStatus.ACTIVE for timing in stored] == [
        each.job_id in resumed for each in jobs
    ]
    assert [timing.version for timing in stored] == [
        3 if each.job_id in resumed else 2 for each in jobs
    ]
    assert (done.status, done.tally) == (
        OperationStatus.SUCCEEDED,
        Tally(matched=JOBS, done=JOBS),
    )
    return faults.calls


def backfill(plan: Mapping[int, Fault]) -> int:
    """A backfill of eleven instants, three at once, of which one has run."""
    world = World()
    world.add_job(next_run_at=after(60))
    with struck(world, plan) as faults:
        operation = until_answered(faults, lambda: start_filling(world))
        done = carry_on(world, faults, operation)
    attempts = world.attempts()

    assert [each.id.run.scheduled_at for each in attempts] == [after(60 * n) for n in range(-10, 1)]
    assert {(each.state, each.operation) for each in attempts} == {
        (RunState.SUCCEEDED, done.operation_id)
    }
    assert done.tally == Tally(matched=11, done=11)
    assert (done.status, done.opened, done.watch_at) == (OperationStatus.SUCCEEDED, (), None)
    return faults.calls


def creation(plan: Mapping[int, Fault]) -> int:
    """Three jobs in one request, each due at once."""
    world = World()
    definition = JobDefinition(
        name="job",
        schedule=Schedule(kind=ScheduleKind.IMMEDIATE),
        action=WebhookAction(url="https://hooks.example.com/", method="POST"),
    )
    asked = [
        Asked(
            request=CreateJobRequest(tenant=TENANT, hash="f00", idempotency_key=f"import#{n}"),
            definition=definition,
        )
        for n in range(3)
    ]
    with struck(world, plan) as faults:
        for _ in range(ENOUGH):
            faults.is_dead = False
            with suppress(Died):
                created = create_jobs(asked, api_services(world), now=world.clock.now())
                if not any(isinstance(each, Throttled) for each in created):
                    break
            world.clock.advance(1)
    runs = [attempt.id.run.job_id for attempt in world.attempts()]

    assert len(world.tables.jobs) == 3
    assert sorted(runs) == sorted(each for _, each in world.tables.jobs)
    return faults.calls


STORIES: dict[str, Callable[[Mapping[int, Fault]], int]] = {
    **{str(kind): partial(bulk, kind) for kind in BULK},
    "pause, undone": undone,
    "backfill": backfill,
    "create": creation,
}


@pytest.fixture(autouse=True)
def _two_jobs_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(change_in_bulk, "JOBS_PER_STEP", 2)


@pytest.mark.parametrize("fault", Fault)
@pytest.mark.parametrize("story", STORIES)
def test_a_fault_in_any_call_is_made_good(story: str, fault: Fault) -> None:
    """One at a time, in each of them."""
    calls = STORIES[story]({})
    assert calls > 2
    for call in range(1, calls + 1):
        STORIES[story]({call: fault})


@settings(max_examples=some(200), deadline=None)
@given(
    story=st.sampled_from(sorted(STORIES)),
    plan=st.dictionaries(st.integers(1, 80), st.sampled_from(Fault), min_size=2, max_size=8),
)
def test_many_faults_are_made_good(story: str, plan: dict[int, Fault]) -> None:
    """Also of those who make good the ones before."""
    STORIES[story](plan)


def test_jobs_by_their_names_are_what_these_tests_count() -> None:
    """The stories would be of nothing otherwise."""
    world = World()

    assert add_jobs(world, 1)[0].job_id == job_id("job 0")
    assert JOB_ID not in {each for _, each in world.tables.jobs}
