"""Follow-ups: what a job's runs trigger when they end, and no other job pays for it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.chaining import add, begin, followers, then
from tests.support.execution.telling import documents, hook, run_all
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    freeze_factory,
    job_id,
)
from tests.support.world import World
from timegate.adapters.memory.target import OK
from timegate.domain.actions.kinds.worker import WorkerAction
from timegate.domain.actions.pool import Offer
from timegate.domain.jobs.follow_up import Ending, Given
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.operations.dead_letter import check_redrive
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import JobIsPaused
from timegate.domain.values.payload import Payload
from timegate.usecases.execution.cancel_run import cancel_run
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.pools.claim_from_pool import claim_from_pool
from timegate.usecases.pools.look_at_pool import PoolClaim
from timegate.usecases.runs.read_triggered import read_triggered

GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")
ONCE = RetryPolicy(max_attempts=1)
FINISHED = (Ending.FINISHED,)


def ref(name: str) -> JobRef:
    """A job to change."""
    return JobRef(tenant=TENANT, job_id=job_id(name))


def test_a_job_follows_another(world: World) -> None:
    """Once, due when the other ended, told of it, and seen from both sides."""
    add(world, "bill", then("report"))
    add(world, "report", payload=Payload(inline='{"page":1}', size_bytes=10))
    parent = begin(world, "bill")
    run_all(world)
    (run,) = followers(world)
    (_, call) = world.target.calls
    ended = world.runs.attempts(TENANT, parent.id.run)

    assert (run.state, run.due_at, run.id.run.job_id) == (RunState.SUCCEEDED, NOW, job_id("report"))
    assert run.parent == call.parent
    assert run.parent is not None
    assert (run.parent.attempt, run.parent.occasion) == (parent.id, Occasion.SUCCEEDED)
    assert json.loads(run.parent.document)["job_id"] == job_id("bill")
    assert call.payload == '{"page":1}'
    assert read_triggered(ended, api_services(world)) == (run,)
    assert read_triggered([run], api_services(world)) == ()


@pytest.mark.parametrize(
    ("outcome", "job", "ending"),
    [
        pytest.param(None, {}, Ending.SUCCEEDED, id="succeeded"),
        pytest.param(GONE, {}, Ending.FAILED, id="failed"),
        pytest.param(BUSY, {"retry": ONCE}, Ending.DEAD_LETTERED, id="dead"),
        pytest.param(None, {"start_within_seconds": 1}, Ending.SKIPPED, id="late"),
        pytest.param(None, {"status": JobStatus.CANCELLED}, Ending.CANCELLED, id="cancelled"),
    ],
)
def test_each_job_follows_the_ends_it_names(
    world: World, outcome: Failure | None, job: dict[str, Any], ending: Ending
) -> None:
    """One job follows every end, one the rest; claimed and unclaimed runs trigger alike.

    A dead letter has failed as well.
    """
    named = {ending, Ending.FINISHED}
    named |= {Ending.FAILED} if ending is Ending.DEAD_LETTERED else set()
    others = [each for each in Ending if each not in named]
    add(world, "bill", then("this", ending), then("any", *FINISHED), then("no", *others), **job)
    for name in ("this", "any", "no"):
        add(world, name)
    begin(world, "bill", due_at=after(-10))
    if outcome is not None:
        world.target.then(outcome)
    run_all(world)

    assert {run.id.run.job_id for run in followers(world)} == {job_id("this"), job_id("any")}
    assert {run.parent and run.parent.occasion.value for run in followers(world)} == {ending.value}


def test_a_run_that_found_no_slot_is_followed(world: World) -> None:
    """And told of: it ends skipped as any other."""
    overlap = Overlap(policy=OverlapPolicy.FORBID)
    told = hook(Occasion.SKIPPED)
    add(world, "bill", then("again", Ending.SKIPPED), overlap=overlap, notifications=(told,))
    add(world, "again")
    begin(world, "bill")
    begin(world, "bill", due_at=after(-1))
    run_all(world)

    assert len(followers(world, "again")) == 1
    assert [each["run"]["reason"] for each in documents(world)] == ["overlap"]


def test_a_failure_that_is_tried_again_triggers_nothing(world: World) -> None:
    """The last attempt does, as the number it was."""
    add(world, "bill", then("report", *FINISHED))
    add(world, "report")
    begin(world, "bill")
    world.target.then(BUSY)
    run_all(world, for_hours=1)
    (run,) = followers(world)

    assert run.parent is not None
    assert (run.parent.attempt.number, run.parent.occasion) == (2, Occasion.SUCCEEDED)


def test_a_run_that_was_opened_again_triggers_again(world: World) -> None:
    """Once for each of its ends, and its followers keep their parents through retries."""
    job = add(world, "bill", then("report"))
    add(world, "report")
    first = begin(world, "bill")
    run_all(world)
    last = world.runs.attempts(TENANT, first.id.run)[-1]
    world.runs.insert_all([replace(reopened(last, job.timing, now=NOW), direct=False)])
    world.target.then(OK, BUSY)
    run_all(world, for_hours=1)
    runs = {run.id.run: run for run in followers(world)}

    assert sorted(r.parent.attempt.number for r in runs.values() if r.parent) == [1, 2]
    assert {run.state for run in runs.values()} == {RunState.SUCCEEDED}
    assert len(read_triggered(world.runs.attempts(TENANT, first.id.run), api_services(world))) == 2


def test_a_job_that_nothing_follows_pays_nothing(world: World) -> None:
    """Its runs' ends wake no function, and an end that nothing follows neither."""
    add(world, "bill")
    add(world, "other", then("bill", Ending.FAILED))
    begin(world, "bill")
    begin(world, "other")
    run_all(world)

    assert followers(world) == []
    assert not any(image.after.is_followed for image in world.tables.images)


@pytest.mark.parametrize(
    ("status", "state", "reason"),
    [
        pytest.param(JobStatus.PAUSED, RunState.SKIPPED, Reason.PAUSED, id="paused"),
        pytest.param(JobStatus.CANCELLED, RunState.CANCELLED, Reason.JOB_CANCELLED, id="cancelled"),
        pytest.param(JobStatus.COMPLETED, RunState.SUCCEEDED, None, id="completed"),
    ],
)
def test_what_became_of_a_job_decides_about_its_run(
    world: World, status: JobStatus, state: RunState, reason: Reason | None
) -> None:
    """It is on record in any case, with the reason."""
    add(world, "bill", then("report"))
    add(world, "report", status=status)
    begin(world, "bill")
    run_all(world)
    (run,) = followers(world)

    assert (run.state, run.reason) == (state, reason)


def test_a_freeze_holds_it_back(world: World) -> None:
    """Until it thaws; whatever the schedule of its job names is of no account."""
    add(world, "bill", then("report"))
    add(world, "report", tags={"team": "reports"})
    begin(world, "bill")
    world.stream()
    world.execute(world.receive())
    freeze = freeze_factory(starts_at=NOW, ends_at=after(3600))
    world.restrictions.put_freeze(TENANT, freeze, now=NOW)
    run_all(world)
    held = followers(world)[0]
    run_all(world, for_hours=2)
    (thawed,) = followers(world)

    assert (held.state, held.frozen_since) == (RunState.WAITING, NOW)
    assert (thawed.state, thawed.due_at) == (RunState.SUCCEEDED, after(3600))


def test_a_paused_jobs_dead_letter_is_not_redriven(world: World) -> None:
    """It would be skipped at once; see ``check_redrive``."""
    add(world, "bill", then("report"))
    report = add(world, "report", retry=ONCE)
    begin(world, "bill")
    world.target.then(OK, BUSY)
    run_all(world)
    (run,) = followers(world)
    paused = pause_job(ref("report"), api_services(world), now=NOW)

    assert run.is_dead_letter
    check_redrive(run.id.run, report.timing)
    with pytest.raises(JobIsPaused):
        check_redrive(run.id.run, paused.timing)


@pytest.mark.parametrize("gives", Given)
def test_a_payload_is_handed_on(world: World, gives: Given) -> None:
    """From run to run, where the jobs say so; a result is a document about the end before."""
    add(world, "a", then("b", payload=gives), payload=Payload(inline='"a"', size_bytes=3))
    add(world, "b", then("c", payload=gives), payload=Payload(inline='"b"', size_bytes=3))
    add(world, "c", payload=Payload(inline='"c"', size_bytes=3))
    begin(world, "a")
    run_all(world)
    given = [json.loads(call.payload or "null") for call in world.target.calls]

    match gives:
        case Given.OWN:
            assert given == ["a", "b", "c"]
        case Given.PARENT:
            assert given == ["a", "a", "a"]
        case Given.RESULT:
            assert [each["job_id"] for each in given[1:]] == [job_id("a"), job_id("b")]
            assert [each["result"] for each in given[1:]] == ["ok", "ok"]


def test_a_worker_is_told_what_triggered_its_run(world: World) -> None:
    """A following run is offered in its job's pool."""
    offer = Offer(pool="reports", handler="write")
    add(world, "bill", then("report", payload=Given.RESULT))
    add(world, "report", offer=offer, action=WorkerAction(pool="reports", handler="write"))
    begin(world, "bill")
    run_all(world)
    wanted = PoolClaim(tenant=TENANT, pool="reports", worker="w1")
    (handed,) = claim_from_pool(wanted, world.working).runs

    assert json.loads(handed.payload or "null")["state"] == "succeeded"
    assert handed.claimed.attempt.parent is not None


def test_a_cancelled_run_is_followed(world: World) -> None:
    """It was never claimed: the process that cancels it looks up who follows."""
    add(world, "bill", then("undo", Ending.CANCELLED))
    add(world, "undo")
    parent = begin(world, "bill")
    cancel_run(TENANT, parent.id.run, api_services(world), now=NOW)
    run_all(world)

    assert [run.state for run in followers(world, "undo")] == [RunState.SUCCEEDED]


def test_an_unreadable_follower_holds_up_nothing(world: World) -> None:
    """Its place is kept for a person; the others run, and are told of."""
    add(world, "bill", then("lost"), then("report"), notifications=(hook(Occasion.SUCCEEDED),))
    add(world, "lost")
    add(world, "report")
    world.tables.damaged.add((TENANT, job_id("lost")))
    begin(world, "bill")
    run_all(world)
    (parked,) = world.rejects.parked

    assert parked.source == "ends"
    assert [run.id.run.job_id for run in followers(world)] == [job_id("report")]
    assert len(documents(world)) == 1


def test_two_parents_that_end_together_trigger_two_runs(world: World) -> None:
    """Two ends of one millisecond trigger a run each, which names its own parent alone."""
    add(world, "a", then("c"))
    add(world, "b", then("c"))
    add(world, "c", notifications=(hook(Occasion.SUCCEEDED),))
    begin(world, "a")
    begin(world, "b")
    run_all(world)
    runs = followers(world)
    told = [world.runs.notices(TENANT, run.id.run) for run in runs]

    assert len({run.id.run for run in runs}) == 2
    assert {run.id.run.scheduled_at for run in runs} == {NOW}
    assert [len(each) for each in told] == [1, 1]
    assert len(documents(world)) == 2
