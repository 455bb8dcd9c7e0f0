"""A job that failures paused is resumed on trial: the next run decides."""

from tests.support.api import api_services
from tests.support.execution.failing import (
    GONE,
    REF,
    a_world,
    ends,
    is_paused,
    job_of,
    planned,
    resume,
    run,
)
from tests.support.execution.pausing import pause_failing
from tests.support.execution.telling import documents
from tests.support.factories import after, attempt_factory, attempt_id
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.run import RunState
from timegate.usecases.jobs.pause_job import pause_job


def test_the_next_run_after_a_resumption_decides() -> None:
    """If it fails, the job is paused at once, and the hook hears of that as well."""
    world = a_world()
    run(world, GONE, GONE, GONE)
    resume(world)

    assert job_of(world).timing.on_trial

    run(world, GONE)
    pause = job_of(world).timing.failure_pause

    assert is_paused(world)
    assert pause is not None
    assert pause.attempt == ends(world)[-1].id
    assert len(documents(world)) == 2


def test_a_trial_needs_no_records_of_the_failures_before_it() -> None:
    """They may be forgotten by then, or the job may ask for more now."""
    world = a_world()
    run(world, GONE, GONE, GONE)
    for ended in ends(world):
        world.lose(ended)
    resume(world)
    run(world, GONE)

    assert is_paused(world)


def test_a_success_ends_the_trial() -> None:
    """Failures count anew, also where its record is forgotten."""
    world = a_world()
    run(world, GONE, GONE, GONE)
    resume(world)
    run(world, None)
    timing = job_of(world).timing
    world.lose(ends(world)[-1])
    for ended in ends(world):
        world.lose(ended)

    assert not timing.on_trial

    run(world, GONE, GONE)

    assert not is_paused(world)

    run(world, GONE)

    assert is_paused(world)


def test_a_run_that_began_before_the_resumption_is_no_trial() -> None:
    """It says nothing about what was mended."""
    world = a_world(pauses=1)
    run(world, GONE)
    resume(world)
    began = attempt_factory(
        id=attempt_id(scheduled_at=after(30)),
        state=RunState.FAILED,
        ended_at=after(100),
        job_version=1,
        notify=(Occasion.FAILED, Occasion.PAUSED),
    )
    world.runs.insert_all([began])
    pause_failing([began], world)

    assert not is_paused(world)


def test_a_success_of_the_trial_counts_before_its_end_is_shown() -> None:
    """The record is there, whichever the stream shows first."""
    world = a_world()
    run(world, GONE, GONE, GONE)
    resume(world)
    version, now = job_of(world).timing.version, world.clock.now()
    state = {"state": RunState.SUCCEEDED, "job_version": version, "ended_at": now}
    planned(world, after(190), watch_at=None, **state)
    run(world, GONE)

    assert not is_paused(world)


def test_a_callers_pause_is_theirs() -> None:
    """A job that a caller paused and resumed is on no trial."""
    world = a_world()
    run(world, GONE, GONE)
    pause_job(REF, api_services(world), now=world.clock.now())
    resume(world)
    timing = job_of(world).timing

    assert (timing.failure_pause, timing.on_trial) == (None, False)

    run(world, GONE)

    assert is_paused(world)


def test_a_success_before_the_pause_ends_no_trial() -> None:
    """It was before the failures, whose records are forgotten."""
    world = a_world()
    run(world, None, GONE, GONE, GONE)
    for ended in ends(world)[1:]:
        world.lose(ended)
    resume(world)
    run(world, GONE)

    assert is_paused(world)
