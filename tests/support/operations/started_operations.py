"""Operations as callers start them, and what became of what they are about."""

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, job_id
from tests.support.world import World
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.operation import (
    WAKE_AFTER,
    Backfill,
    BulkChange,
    Operation,
    OperationKind,
    Reprocess,
    Tally,
)
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import watched_end
from timegate.domain.values.identity import AttemptId, OperationId, Origin, RunId, job_id_from
from timegate.ports.operations.operation_store import OperationRef
from timegate.usecases.operations.bulk import change_in_bulk
from timegate.usecases.operations.start_backfill import start_backfill
from timegate.usecases.operations.start_operation import OperationRequest, start_operation

REQUEST = OperationRequest(tenant=TENANT, hash="f00", caller="ci", idempotency_key="first")
#: Another request of the same caller.
AGAIN = replace(REQUEST, idempotency_key="second")
EVERYTHING = BulkChange(jobs=JobFilter())
OPS = BulkChange(jobs=JobFilter(tags=(("team", "ops"),)))


def operation_factory(**fields: Any) -> Operation:  # noqa: ANN401 - the dataclass checks them
    """A bulk pause of everything, just begun."""
    defaults: dict[str, Any] = {
        "tenant": TENANT,
        "operation_id": OperationId(job_id_from(b"the operation of the tests")),
        "kind": OperationKind.PAUSE,
        "task": EVERYTHING,
        "request_hash": "f00",
        "created_by": "ci",
        "created_at": NOW,
        "updated_at": NOW,
        "watch_at": NOW + WAKE_AFTER,
    }
    return Operation(**(defaults | fields))


def add_jobs(world: World, count: int, **fields: Any) -> list[Job]:  # noqa: ANN401
    """Jobs of the team ops, created one second after the other, the last at ``NOW``."""
    return [
        world.add_job(
            job_id=job_id(f"job {number}"),
            created_at=after(number + 1 - count),
            tags={"team": "ops"},
            **fields,
        )
        for number in range(count)
    ]


def start(
    world: World, kind: OperationKind, task: BulkChange = OPS, request: OperationRequest = REQUEST
) -> Operation:
    """A bulk change, as the API starts it."""
    services = api_services(world)
    return start_operation(request, kind, task, services, now=world.clock.now()).operation


def backfill_factory(**fields: Any) -> Backfill:  # noqa: ANN401 - the dataclass checks them
    """The ten minutes before ``NOW`` of the tests' job, both ends included: eleven instants."""
    defaults: dict[str, Any] = {
        "job_id": JOB_ID,
        "start": after(-600),
        "end": NOW,
        "reprocess": Reprocess.NONE,
        "max_concurrent": 3,
        "anchored_at": after(-3600),
    }
    return Backfill(**(defaults | fields))


def start_filling(
    world: World,
    request: OperationRequest = REQUEST,
    **fields: Any,  # noqa: ANN401
) -> Operation:
    """A backfill, as the API starts it."""
    services = api_services(world)
    asked = backfill_factory(**fields)
    return start_backfill(request, asked, services, now=world.clock.now()).operation


def stored(world: World, operation: Operation) -> Operation:
    """The operation as it is now."""
    return world.operations.get(operation.tenant, operation.operation_id)


def run_of(instant: datetime, number: int = 1) -> AttemptId:
    """An attempt at the scheduled run of an instant."""
    run = RunId(job_id=JOB_ID, origin=Origin.SCHEDULE, scheduled_at=instant)
    return AttemptId(run=run, number=number)


def unfinished(world: World) -> list[Attempt]:
    """The last attempts of runs that have not ended."""
    last = {attempt.id.run: attempt for attempt in world.attempts()}
    return [attempt for attempt in last.values() if not attempt.ends_run]


def finish(world: World, attempt: Attempt, state: RunState = RunState.SUCCEEDED) -> None:
    """End an attempt in a state, wherever it stands, and let every function hear of it."""
    current = world.tables.attempts[attempt.tenant, attempt.id]
    ended = replace(current, state=state, ended_at=world.clock.now(), watch_at=None)
    world.tables.put_attempt(watched_end(ended))
    world.stream()


def tally_of(world: World, operation: Operation) -> Tally:
    """Return the operation's progress."""
    return stored(world, operation).tally


def team_of_five(monkeypatch: pytest.MonkeyPatch) -> World:
    """Five jobs of a team, one of no team; steps of two jobs."""
    monkeypatch.setattr(change_in_bulk, "JOBS_PER_STEP", 2)
    world = World()
    add_jobs(world, 5)
    world.add_job(job_id=job_id("unowned"), created_at=NOW)
    return world


def member(world: World, number: int) -> Job:
    """One of the team's jobs; 4 is the newest, and the first to be changed."""
    return world.jobs.get(TENANT, job_id(f"job {number}"))


def statuses(world: World) -> list[JobStatus]:
    """Return statuses of the team's jobs, oldest first, then of the job without a team."""
    unowned = world.jobs.get(TENANT, job_id("unowned"))
    return [each.timing.status for each in (*(member(world, n) for n in range(5)), unowned)]


def ref(operation: Operation) -> OperationRef:
    """Return the operation's reference."""
    return OperationRef(tenant=operation.tenant, id=operation.operation_id)


def to_fill() -> World:
    """A job of every minute that was planned up to now and of which nothing is on record."""
    world = World()
    world.add_job(next_run_at=after(60))
    return world


def ended(world: World, seconds: float, state: RunState, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run of the past that ended in such a state."""
    attempt = attempt_factory(
        due_at=after(seconds), state=state, ended_at=after(seconds + 1), watch_at=None, **fields
    )
    world.runs.insert_all([attempt])
    return attempt
