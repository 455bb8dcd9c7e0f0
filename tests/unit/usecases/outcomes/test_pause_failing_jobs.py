"""Failed runs in a row pause a job, once, however their ends are shown."""

from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.failing import (
    BUSY,
    GONE,
    SLOW,
    a_world,
    ends,
    is_paused,
    job_of,
    planned,
    resume,
    run,
    show_again,
)
from tests.support.execution.pausing import pause_failing
from tests.support.execution.telling import documents, notices, run_all
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.tenants.audit_trail import AuditFilter
from timegate.domain.values.errors import JobChanged
from timegate.domain.values.identity import Origin


def test_so_many_failed_runs_in_a_row_pause_the_job() -> None:
    """Not one earlier; the job says why and since when, and the hook hears it."""
    world = a_world()
    run(world, GONE, BUSY)

    assert not is_paused(world)

    run(world, SLOW)
    pause = job_of(world).timing.failure_pause
    (document,) = documents(world)

    assert is_paused(world)
    assert pause is not None
    assert (pause.failures, pause.attempt) == (3, attempt_id(scheduled_at=after(180)))
    assert pause.at >= after(180)
    assert document["type"] == "job.paused"
    assert document["pause"] == {"by": "timegate", "reason": "failures", "failures": 3}
    assert document["run"]["state"] == "dead_lettered"


def test_the_trail_says_who_paused_it() -> None:
    """Timegate, and no caller."""
    world = a_world(pauses=1)
    run(world, GONE)
    page = world.audits.list_entries(TENANT, AuditFilter(), limit=10, cursor=None)
    (entry,) = page.rows
    changed = {each.field: each.after for each in entry.changes}

    assert (entry.stamp.subject, entry.stamp.operation) == ("timegate", "outcomes.pause")
    assert changed["status"] == "paused"
    assert changed["failure_pause"]["failures"] == 1


@pytest.mark.parametrize(
    "between",
    [
        pytest.param({"state": RunState.SKIPPED, "reason": Reason.OVERLAP}, id="skipped"),
        pytest.param({"state": RunState.CANCELLED}, id="cancelled"),
        pytest.param({"state": RunState.RUNNING, "ended_at": None}, id="running"),
    ],
)
def test_what_says_nothing_is_passed_over(between: dict[str, Any]) -> None:
    """It neither counts nor makes failures count anew."""
    world = a_world(pauses=2)
    run(world, GONE)
    planned(world, after(90), **({"ended_at": after(90), "watch_at": None} | between))
    run(world, GONE)

    assert is_paused(world)


def test_a_success_makes_failures_count_anew() -> None:
    """Two, a success, two: no three in a row."""
    world = a_world()
    run(world, GONE, GONE, None, GONE, GONE)

    assert not is_paused(world)

    run(world, GONE)

    assert is_paused(world)


def test_a_failure_that_is_tried_again_does_not_count() -> None:
    """Its run has not ended."""
    world = a_world(pauses=1, retry=RetryPolicy(max_attempts=2, initial_delay_seconds=1.0))
    run(world, BUSY)
    states = [each.state for each in ends(world)]

    assert RunState.SUCCEEDED in states
    assert not is_paused(world)


def test_runs_count_by_their_instants_and_not_by_their_ends() -> None:
    """A success that was due later counts after a failure that ended later."""
    world = a_world(pauses=2)
    run(world, GONE)
    world.clock.advance(60)
    late = planned(world)
    planned(world, after(121), state=RunState.SUCCEEDED, ended_at=after(121), watch_at=None)
    world.clock.advance(2)
    world.target.then(GONE)
    run_all(world)

    assert world.runs.attempts(TENANT, late.id.run)[-1].state is RunState.FAILED
    assert not is_paused(world)


@pytest.mark.parametrize("origin", [Origin.TRIGGER, None], ids=["trigger", "operation"])
def test_what_callers_ask_for_does_not_count(origin: Origin | None) -> None:
    """An operator looks at it already."""
    world = a_world(pauses=1)
    planned(world, after(-60), state=RunState.FAILED, ended_at=after(-60), watch_at=None)
    asked: dict[str, Any] = {"operation": "operation-1"}
    if origin is not None:
        asked = {"id": attempt_id(origin=origin, scheduled_at=NOW)}
    ended = attempt_factory(
        state=RunState.FAILED, ended_at=NOW, notify=(Occasion.FAILED, Occasion.PAUSED), **asked
    )
    world.runs.insert_all([ended])
    pause_failing([ended], world)

    assert not is_paused(world)


def test_ends_that_are_shown_again_pause_and_tell_once() -> None:
    """Twice, late, backwards, and after the job was resumed."""
    world = a_world()
    run(world, GONE, GONE, GONE)
    version = job_of(world).timing.version
    show_again(world)

    assert job_of(world).timing.version == version
    assert len(notices(world)) == 1

    resume(world)
    show_again(world)

    assert not is_paused(world)
    assert len(notices(world)) == 1


def test_a_process_that_dies_before_it_tells_tells_later() -> None:
    """The pause names the end that decided, and that end is shown again."""
    world = a_world(pauses=1)
    world.clock.advance(60)
    planned(world)
    world.target.then(GONE)
    insert_all = world.runs.insert_all
    world.stream()
    world.execute(world.receive())
    (shown,) = ends(world)

    world.runs.insert_all = Mock(side_effect=RuntimeError)  # type: ignore[method-assign]
    with pytest.raises(RuntimeError):
        pause_failing([shown], world)
    world.runs.insert_all = insert_all  # type: ignore[method-assign]

    assert is_paused(world)
    assert notices(world) == []

    run_all(world)
    show_again(world)

    assert len(documents(world)) == 1


def test_runs_that_are_due_meanwhile_are_skipped_and_say_why() -> None:
    """A caller's pause skips alike."""
    world = a_world(pauses=1)
    run(world, GONE, None)
    skipped = ends(world)[-1]

    assert (skipped.state, skipped.reason) == (RunState.SKIPPED, Reason.PAUSED)
    assert skipped.explanation is not None
    assert skipped.explanation.endswith(", after 1 failed run.")


def test_one_conditional_write_decides() -> None:
    """A planner that moves the job meanwhile is not undone: it is read again."""
    world = a_world(pauses=1)
    get, raced = world.jobs.get, list[int]()

    def racing(*args: Any) -> Job:  # noqa: ANN401
        job = get(*args)
        if not raced:
            raced.append(1)
            world.jobs.update(job, replace(job, timing=replace(job.timing, version=2)))
        return job

    ended = attempt_factory(
        state=RunState.FAILED, ended_at=NOW, notify=(Occasion.FAILED, Occasion.PAUSED)
    )
    world.runs.insert_all([ended])
    world.jobs.get = racing  # type: ignore[assignment, method-assign]
    pause_failing([ended], world)

    assert (is_paused(world), job_of(world).timing.version) == (True, 3)


def test_who_loses_every_race_is_shown_the_end_again() -> None:
    """The batch fails, and the stream repeats it."""
    world = a_world(pauses=1)
    ended = attempt_factory(
        state=RunState.FAILED, ended_at=NOW, notify=(Occasion.FAILED, Occasion.PAUSED)
    )
    world.runs.insert_all([ended])

    world.jobs.update = Mock(side_effect=JobChanged(JOB_ID))  # type: ignore[method-assign]
    with pytest.raises(JobChanged):
        pause_failing([ended], world)


def test_a_job_that_is_gone_is_passed_over() -> None:
    """The follower of its end reports it."""
    world = World()
    ended = attempt_factory(
        state=RunState.FAILED, ended_at=NOW, notify=(Occasion.FAILED, Occasion.PAUSED)
    )
    pause_failing([ended], world)

    assert notices(world) == []


@pytest.mark.parametrize("status", [JobStatus.CANCELLED, JobStatus.COMPLETED])
def test_a_job_that_is_over_stays_so(status: JobStatus) -> None:
    """Its last runs may fail."""
    world = a_world(pauses=1, status=status)
    ended = planned(
        world,
        state=RunState.FAILED,
        ended_at=NOW,
        notify=(Occasion.FAILED, Occasion.PAUSED),
    )
    pause_failing([ended], world)

    assert job_of(world).timing.status is status
