"""Executing: claims, ends, retries, and what is never executed."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World, delivery
from timegate.domain.errors import LeaseLost, Throttled
from timegate.domain.identity import AttemptId, Origin, RunId
from timegate.domain.job import JobStatus
from timegate.domain.message import RunMessage
from timegate.domain.payload import Payload
from timegate.domain.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.run import Attempt, Reason, RunState
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.usecases.execution import Delivery

UNAVAILABLE = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Http", message="503")
NOT_FOUND = Failure(kind=FailureKind.PERMANENT, code="http_404", type="Http", message="404")
MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


def prepare(world: World, attempt: Attempt | None = None, **fields: Any) -> Delivery:
    """Store a job and an attempt at it; the message that names it."""
    attempt = attempt or attempt_factory()
    world.add_job(**({"anchored_at": after(-3600), "schedule": MINUTELY} | fields))
    world.runs.insert_all([attempt])
    return delivery(RunMessage.of(attempt))


def only(world: World) -> Attempt:
    """The one attempt there is."""
    (attempt,) = world.attempts()
    return attempt


def test_a_run_is_claimed_executed_and_recorded() -> None:
    """Its message needs no second delivery."""
    world = World()
    again = world.execute([prepare(world)])

    attempt = only(world)
    assert again == set()
    assert attempt.state is RunState.SUCCEEDED
    assert (attempt.fence, attempt.result, attempt.watch_at) == (1, "ok", None)


def test_the_target_is_told_which_run_it_serves() -> None:
    """Key, fence, attempt and nominal instant travel with the call."""
    world = World()
    world.execute([prepare(world, payload=Payload(inline='{"n":1}'))])
    (call,) = world.target.calls

    assert call.idempotency_key == str(only(world).id.run)
    assert (call.fence, call.attempt.number, call.scheduled_at) == (1, 1, NOW)
    assert call.payload == '{"n":1}'


def test_a_payload_by_reference_is_fetched() -> None:
    """Large payloads are read only when the run executes."""
    world = World()
    world.blobs.put("payloads/x", '"large"')
    world.execute([prepare(world, payload=Payload(blob="payloads/x"))])

    assert world.target.calls[0].payload == '"large"'


def test_ten_short_runs_cost_three_calls() -> None:
    """One read, one claim, one end."""
    world = World()
    calls: list[str] = []
    for name in ("load_all", "claim_all", "finish_all", "replace", "extend", "finish_and_retry"):
        count_calls(world.runs, name, calls)
    world.add_job(anchored_at=after(-3600), schedule=MINUTELY)
    attempts = [attempt_factory(due_at=after(-60 * n)) for n in range(10)]
    world.runs.insert_all(attempts)

    world.execute([delivery(RunMessage.of(a), n) for n, a in enumerate(attempts)])

    assert set(world.states()) == {RunState.SUCCEEDED}
    assert calls == ["load_all", "claim_all", "finish_all"]


def count_calls(store: object, name: str, calls: list[str]) -> None:
    """Write down every call of a method."""
    method = getattr(store, name)

    def counted(*args: object, **kwargs: object) -> object:
        calls.append(name)
        return method(*args, **kwargs)

    setattr(store, name, counted)


def test_a_message_is_held_to_its_instant() -> None:
    """It is claimed a quarter of a second early and starts on time."""
    world = World()
    world.execute([prepare(world, attempt_factory(due_at=after(2)))])

    attempt = only(world)
    assert attempt.started_at == after(2)
    assert attempt.lease is not None
    assert attempt.lease.expires_at == after(1.75 + 60)


def test_a_message_far_too_early_goes_back() -> None:
    """It is hidden until it is nearly due, and nothing is claimed."""
    world = World()
    again = world.execute([prepare(world, attempt_factory(due_at=after(40.5)))])

    assert again == {"message-0"}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [40]
    assert only(world).state is RunState.QUEUED


@pytest.mark.parametrize(
    "ended",
    [
        pytest.param(
            attempt_factory(state=RunState.SUCCEEDED, watch_at=None, ended_at=NOW), id="ended"
        ),
        pytest.param(running(), id="live lease"),
        pytest.param(
            running(lease=lease_factory(expires_at=after(0.001))), id="a millisecond of lease left"
        ),
    ],
)
def test_a_duplicate_is_acknowledged_and_dropped(ended: Attempt) -> None:
    """The run has ended, or a live worker holds it."""
    world = World()
    again = world.execute([prepare(world, ended)])

    assert again == set()
    assert world.target.calls == []
    assert world.telemetry.counts["DuplicatesRefused"] == 1


def test_an_expired_lease_is_taken_over_with_a_higher_fence() -> None:
    """At its expiry, exactly."""
    world = World()
    abandoned = running(lease=lease_factory(owner="dead", fence=1, expires_at=NOW))
    world.execute([prepare(world, abandoned)], owner="alive")

    attempt = only(world)
    assert attempt.state is RunState.SUCCEEDED
    assert attempt.fence == 2
    assert world.target.calls[0].fence == 2
    assert world.telemetry.counts["LeasesRescued"] == 1


def test_a_fenced_out_worker_records_nothing() -> None:
    """It lost its lease while it worked; the other's outcome stands."""
    world = World()
    message = prepare(world)
    invoke = world.target.invoke

    def lose_the_lease(call: Any) -> Any:
        stored = only(world)
        taken = lease_factory(owner="other", fence=2)
        world.tables.put_attempt(replace(stored, fence=2, lease=taken))
        return invoke(call)

    world.target.invoke = lose_the_lease  # type: ignore[method-assign]
    again = world.execute([message])

    assert again == set()
    assert only(world).state is RunState.RUNNING
    assert only(world).fence == 2
    assert world.telemetry.named("run_unsettled")[0].fields["code"] == LeaseLost.code


def test_a_failure_is_followed_by_a_new_attempt() -> None:
    """The first keeps its error; the second waits for its back-off."""
    world = World()
    world.target.then(UNAVAILABLE)
    retry = RetryPolicy(max_attempts=2, initial_delay_seconds=10, jitter=False)
    world.execute([prepare(world, retry=retry)])
    first, second = world.attempts()

    assert (first.state, first.reason) == (RunState.FAILED, Reason.RETRIED)
    assert first.error is not None
    assert first.error.code == "http_503"
    assert (second.state, second.due_at, second.id.number) == (RunState.QUEUED, after(10), 2)
    assert second.watch_at is not None


def test_a_back_off_beyond_the_queues_limit_waits() -> None:
    """The sweeper queues it when it is near."""
    world = World()
    world.target.then(UNAVAILABLE)
    retry = RetryPolicy(
        max_attempts=2, initial_delay_seconds=3600, max_delay_seconds=3600, jitter=False
    )
    world.execute([prepare(world, retry=retry)])

    assert world.states() == [RunState.FAILED, RunState.WAITING]


@pytest.mark.parametrize(
    ("failure", "state", "reason"),
    [
        pytest.param(
            UNAVAILABLE, RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED, id="out of retries"
        ),
        pytest.param(NOT_FOUND, RunState.FAILED, Reason.PERMANENT, id="permanent"),
    ],
)
def test_a_last_failure_ends_the_run(failure: Failure, state: RunState, reason: Reason) -> None:
    """With its error and its reason, and no further attempt."""
    world = World()
    world.target.then(failure)
    world.execute([prepare(world, retry=RetryPolicy(max_attempts=1))])

    attempt = only(world)
    assert (attempt.state, attempt.reason, attempt.watch_at) == (state, reason, None)


def test_a_run_that_takes_too_long_times_out() -> None:
    """Its supervisor stops waiting at the deadline."""
    world = World()
    world.workshop.takes = None
    world.execute([prepare(world, timeout_seconds=30, retry=RetryPolicy(max_attempts=2))])
    first, second = world.attempts()

    assert (first.state, first.ended_at) == (RunState.TIMED_OUT, after(30))
    assert second.id.number == 2


def test_a_long_run_renews_message_and_lease_together() -> None:
    """Every twenty seconds of a lease of sixty; the message always stays hidden longer."""
    world = World()
    world.workshop.takes = timedelta(seconds=50)
    world.execute([prepare(world, timeout_seconds=60)])
    lease = only(world).lease

    assert lease is not None
    assert lease.expires_at == after(40 + 60)
    assert [hidden.seconds for hidden in world.inbox.hidden] == [65, 65]


def test_a_cancel_is_seen_at_the_next_heartbeat() -> None:
    """The worker stops waiting for its target."""
    world = World()
    world.workshop.takes = timedelta(seconds=50)
    world.execute([prepare(world, attempt_factory(cancel_requested=True), timeout_seconds=60)])

    attempt = only(world)
    assert (attempt.state, attempt.reason) == (RunState.CANCELLED, Reason.CANCEL_REQUESTED)
    assert attempt.ended_at == after(20)


@pytest.mark.parametrize(
    ("visibility", "hidden"),
    [
        pytest.param(80, [], id="little longer than the lease"),
        pytest.param(900, [65], id="much longer"),
    ],
)
def test_visibility_is_shortened_only_where_it_pays(visibility: int, hidden: list[int]) -> None:
    """A dead worker's message returns soon after its lease, at a call only where it must."""
    world = World()
    world.execute([prepare(world)], visibility=timedelta(seconds=visibility))

    assert [h.seconds for h in world.inbox.hidden] == hidden


def test_a_lease_always_ends_before_its_message_returns() -> None:
    """Even when the message was received long before its claim."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(5)))
    world.execute([message], visibility=timedelta(seconds=62))
    lease = only(world).lease

    assert lease is not None
    assert lease.expires_at < after(62)


def test_a_throttled_store_acknowledges_nothing() -> None:
    """The message comes back in two seconds."""
    world = World()
    message = prepare(world)

    def throttled(_: object) -> None:
        raise Throttled("busy")

    world.runs.claim_all = throttled  # type: ignore[method-assign, assignment]
    again = world.execute([message])

    assert again == {"message-0"}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [2]
    assert only(world).state is RunState.QUEUED


@pytest.mark.parametrize(
    ("job", "state", "reason"),
    [
        pytest.param({"status": JobStatus.PAUSED}, "skipped", "paused", id="paused"),
        pytest.param({"status": JobStatus.CANCELLED}, "cancelled", "job_cancelled", id="cancelled"),
        pytest.param(
            {"version": 2, "anchored_at": after(-30)}, "skipped", "superseded", id="moved"
        ),
    ],
)
def test_what_must_not_run_says_why(job: dict[str, object], state: str, reason: str) -> None:
    """A run of an old version, or of a job that is off, is recorded and not executed."""
    world = World()
    world.execute([prepare(world, **job)])

    attempt = only(world)
    assert (attempt.state, attempt.reason) == (state, reason)
    assert world.target.calls == []
    assert world.telemetry.counts["DuplicatesRefused"] == 0


def test_a_run_the_new_version_still_names_is_adopted() -> None:
    """It executes what the job says now, and the record says under which version."""
    world = World()
    world.execute([prepare(world, version=2, payload=Payload(inline='"new"'))])

    assert only(world).state is RunState.SUCCEEDED
    assert only(world).job_version == 2
    assert world.target.calls[0].payload == '"new"'


def test_a_triggered_run_is_not_bound_to_the_schedule() -> None:
    """Somebody asked for it: a pause or an edit in between does not undo that."""
    world = World()
    run = RunId(job_id=attempt_factory().id.run.job_id, origin=Origin.TRIGGER, scheduled_at=NOW)
    triggered = attempt_factory(id=AttemptId(run=run, number=1))
    world.execute([prepare(world, triggered, version=3, status=JobStatus.PAUSED)])

    assert only(world).state is RunState.SUCCEEDED


def test_a_run_without_a_job_is_superseded() -> None:
    """Its job is gone; the record says so."""
    world = World()
    attempt = attempt_factory()
    world.runs.insert_all([attempt])
    world.execute([delivery(RunMessage.of(attempt))])

    assert (only(world).state, only(world).reason) == (RunState.SKIPPED, Reason.SUPERSEDED)


@pytest.mark.parametrize(("fence", "executed"), [(4, True), (5, False)], ids=str)
def test_what_kills_its_workers_is_buried(fence: int, *, executed: bool) -> None:
    """Five leases are enough."""
    world = World()
    killer = running(lease=lease_factory(fence=fence, expires_at=NOW))
    world.execute([prepare(world, killer)])

    assert bool(world.target.calls) is executed
    assert (only(world).reason is Reason.KILLS_WORKERS) is not executed


def test_lateness_is_measured_from_the_due_instant() -> None:
    """Start lag is what the user waits for."""
    world = World()
    world.execute([prepare(world, attempt_factory(due_at=after(-1.5)), anchored_at=after(-61.5))])

    assert world.telemetry.measures["StartLagMs"] == [1500]
