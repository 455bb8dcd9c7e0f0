"""Conditions: a run is asked about before a worker holds it, and the answer is recorded."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.api import api_services
from tests.support.auditing.asking import (
    ASK,
    BUSY,
    CONDITION,
    NO,
    SILENT,
    asked,
    own,
    pass_minutes,
    refusal,
    worked,
)
from tests.support.execution.chaining import add, begin, followers, then
from tests.support.execution.telling import hook, run_all
from tests.support.factories import NOW, TENANT, after, job_id
from tests.support.world import World
from timegate.adapters.memory.call_runner import MemoryCallRunner
from timegate.adapters.memory.target import OK, MemoryTarget
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.follow_up import Ending
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.ledger.explanations import explain_attempt
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.secrets import SecretRef
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job


def test_a_run_that_may_begin_begins(world: World) -> None:
    """The hook was asked first, under a key of its own, and signed as any web hook."""
    secret = SecretRef(ssm_parameter="/timegate-target/acme/keys")
    job = add(world, "a", before=replace(CONDITION, signing_secret=secret))
    run = begin(world, "a")
    run_all(world)
    (question,) = asked(world)
    document = json.loads(question.payload or "null")

    assert question.action == WebhookAction(url=ASK, signing_secret=secret)
    assert question.idempotency_key == f"{run.id.run}-before"
    assert (document["type"], document["refused"]) == ("run.before", 0)
    assert document["job"] == {"job_id": job.job_id, "name": "a"}
    assert document["run"]["run_id"] == str(run.id.run)
    assert [call.purpose for call in world.target.calls] == ["before", None]
    assert [attempt.state for attempt in own(world)] == [RunState.SUCCEEDED]


class Watching(MemoryTarget):
    """Sees in which state a run is when the hook is called about it."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.seen: list[tuple[RunState, int, datetime]] = []
        self._world = world

    def invoke(self, call: Call) -> Answer:
        """Look, and answer."""
        (attempt,) = self._world.attempts()
        self.seen.append((attempt.state, attempt.fence, self._world.clock.now()))
        return super().invoke(call)


def test_no_worker_holds_a_run_while_it_is_asked_about(world: World) -> None:
    """Nor a slot; and not before it is due."""
    add(world, "a", before=CONDITION, overlap=Overlap(policy=OverlapPolicy.FORBID))
    begin(world, "a", due_at=after(0.2))
    watching = Watching(world)
    world.call_runner = MemoryCallRunner(watching, world.clock)
    run_all(world)

    due = after(0.2)
    assert watching.seen == [(RunState.QUEUED, 0, due), (RunState.RUNNING, 1, due)]


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(refusal(409), id="conflict"),
        pytest.param(refusal(423), id="locked"),
        pytest.param(refusal(425, FailureKind.RETRYABLE), id="too-early"),
        pytest.param(BUSY, id="unavailable"),
        pytest.param(SILENT, id="silent"),
    ],
)
def test_not_now_is_asked_again(world: World, answer: Failure) -> None:
    """A minute later, and the run says so meanwhile; it was never begun."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.target.then(answer)
    run_all(world)
    (waiting,) = own(world)
    pass_minutes(world, 2)
    (done,) = own(world)

    assert (waiting.state, waiting.due_at, waiting.fence) == (RunState.QUEUED, after(60), 0)
    assert answer.code in explain_attempt(waiting)
    assert (done.state, done.fence, done.due_at) == (RunState.SUCCEEDED, 1, after(60))
    assert [json.loads(call.payload or "")["refused"] for call in asked(world)] == [0, 1]
    key = str(done.id.run).replace(".", "_")
    assert [call.message_id for call in asked(world)] == [f"{key}-before~1-1", f"{key}-before~1-2"]


def test_silence_is_no_answer(world: World) -> None:
    """After ten seconds no executor waits any longer."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.call_runner.takes = None
    run_all(world)
    (waiting,) = own(world)

    assert waiting.checks is not None
    assert (waiting.checks.said, waiting.due_at) == ("timeout", after(70))


@pytest.mark.parametrize(
    ("takes", "hidden"),
    [
        pytest.param(2, [65], id="quick: hidden at its receipt"),
        pytest.param(9, [65, 65], id="slow: hidden once more"),
    ],
)
def test_a_run_that_waited_for_its_answer_gets_a_whole_lease(
    world: World, takes: int, hidden: list[int]
) -> None:
    """Its message was hidden for a lease as it was received, and part of that has passed."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.stream()
    world.call_runner.takes = timedelta(seconds=takes)
    world.execute(world.receive(), visibility=timedelta(seconds=900))
    (run,) = own(world)

    assert run.lease is not None
    assert run.lease.expires_at == after(takes + 60)
    assert [each.seconds for each in world.inbox.hidden] == hidden


@pytest.mark.parametrize(("seconds", "due"), [(None, 60), (30, 60), (90, 90)])
def test_who_asks_for_more_time_has_it(world: World, seconds: float | None, due: int) -> None:
    """Not for less."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.target.then(replace(BUSY, retry_after_seconds=seconds))
    run_all(world)

    assert own(world)[0].due_at == after(due)


def test_no_is_the_end(world: World) -> None:
    """On record, with what was said; heard of, and followed."""
    told = hook(Occasion.SKIPPED)
    add(world, "a", then("b", Ending.SKIPPED), before=CONDITION, notifications=(told,))
    add(world, "b")
    begin(world, "a")
    world.target.then(NO)
    run_all(world)
    ended = own(world)[0] if own(world)[0].id.run.job_id == job_id("a") else own(world)[1]

    assert (ended.state, ended.reason) == (RunState.SKIPPED, Reason.CONDITION)
    assert explain_attempt(ended) == "Its condition said no: http_403: no"
    assert len(followers(world, "b")) == 1
    assert len(asked(world)) == 1
    assert world.telemetry.counts["RunsSkipped"] == 1


@pytest.mark.parametrize(("give_up", "times"), [(0, 1), (60, 2), (299, 5), (300, 6)])
def test_who_is_put_off_for_too_long_is_skipped(world: World, give_up: int, times: int) -> None:
    """Asked as often as there is time for, from when it was due."""
    add(world, "a", before=replace(CONDITION, give_up_after_seconds=give_up))
    begin(world, "a")
    world.target.then(*[BUSY] * 9)
    run_all(world)
    pass_minutes(world, 8)
    (ended,) = own(world)
    said = "once" if times == 1 else f"{times} times"

    assert len(asked(world)) == times
    assert (ended.state, ended.reason) == (RunState.SKIPPED, Reason.CONDITION)
    assert f"said not now {said} since 2026-11-21T07:00:00.000Z" in explain_attempt(ended)
    assert worked(world) == []


def test_a_run_that_has_begun_asks_no_more(world: World) -> None:
    """Its retries do not; what is opened again begins anew, and asks."""
    job = add(world, "a", before=CONDITION)
    first = begin(world, "a")
    world.target.then(OK, BUSY)
    run_all(world, for_hours=1)
    last = world.runs.attempts(TENANT, first.id.run)[-1]
    before = len(asked(world))
    now = world.clock.now()
    world.runs.insert_all([replace(reopened(last, job.timing, now=now), direct=False)])
    run_all(world)

    assert (last.id.number, last.state, before) == (2, RunState.SUCCEEDED, 1)
    assert len(asked(world)) == 2
    assert len(worked(world)) == 3


def test_a_pause_ends_the_waiting(world: World) -> None:
    """The next worker judges the job first."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.target.then(BUSY)
    run_all(world)
    pause_job(JobRef(tenant=TENANT, job_id=job_id("a")), api_services(world), now=NOW)
    pass_minutes(world, 2)
    (ended,) = own(world)

    assert (ended.state, ended.reason) == (RunState.SKIPPED, Reason.PAUSED)
    assert len(asked(world)) == 1


def test_a_worker_that_must_stop_leaves_the_question_to_another(world: World) -> None:
    """Nothing is recorded, and its message comes back at once."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    world.stream()
    world.call_runner.closes_at = after(5)
    world.call_runner.takes = None
    (message,) = world.receive()
    returned = world.execute([message])
    (left,) = own(world)

    assert returned == {message.id}
    assert (left.state, left.checks) == (RunState.QUEUED, None)


def test_others_of_a_batch_do_not_wait_for_the_answer(world: World) -> None:
    """They are claimed together, before a hook is asked."""
    add(world, "a", before=CONDITION)
    add(world, "b")
    add(world, "c")
    for name in "abc":
        begin(world, name)
    world.target.then(OK)
    run_all(world)

    assert [call.purpose for call in world.target.calls].count("before") == 1
    assert {attempt.state for attempt in own(world)} == {RunState.SUCCEEDED}


def test_a_question_that_leads_inside_is_told(world: World) -> None:
    """It is no answer: the run does not begin, and operators see who tries."""
    add(world, "a", before=CONDITION)
    begin(world, "a")
    refused = Failure(
        kind=FailureKind.PERMANENT, code="address_not_allowed", type="NotAllowed", message="inside"
    )
    world.target.then(refused)
    run_all(world)
    (told,) = world.telemetry.named("target_refused")

    assert told.fields["code"] == "address_not_allowed"
    assert world.telemetry.counts["TargetsRefused"] == 1
    assert RunState.SUCCEEDED not in {attempt.state for attempt in own(world)}
