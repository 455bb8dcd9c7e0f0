"""Jobs that follow one another, and the runs that were triggered."""

from datetime import datetime
from typing import Any

from tests.support.factories import after, attempt_factory, attempt_id, job_id
from tests.support.world import World
from timegate.domain.jobs.follow_up import Ending, FollowUp, Given
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin


def then(name: str, *on: Ending, payload: Given = Given.OWN) -> FollowUp:
    """A job that follows these ends, or success."""
    return FollowUp(job_id=job_id(name), on=on or (Ending.SUCCEEDED,), payload=payload)


def add(world: World, name: str, *follow_ups: FollowUp, **fields: Any) -> Job:  # noqa: ANN401
    """Store a job of that name, with what follows it."""
    fields = {"next_run_at": after(3600), **fields}
    return world.add_job(job_id=job_id(name), name=name, then=follow_ups, **fields)


def begin(world: World, name: str, *, due_at: datetime | None = None) -> Attempt:
    """A run of a job, due now."""
    due = due_at or world.clock.now()
    identity = attempt_id(job=job_id(name), scheduled_at=due)
    attempt = attempt_factory(id=identity, due_at=due)
    world.runs.insert_all([attempt])
    return attempt


def followers(world: World, name: str | None = None) -> list[Attempt]:
    """Every attempt at a run that another one triggered; of one job, or of all."""
    found = [a for a in world.attempts() if a.id.run.origin is Origin.FOLLOW_UP]
    return [a for a in found if name is None or a.id.run.job_id == job_id(name)]
