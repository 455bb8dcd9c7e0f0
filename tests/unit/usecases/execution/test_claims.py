"""A worker executes a run only under a live lease with the highest fence."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import LeaseLost
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.payload import Payload
from timegate.ports.telemetry.telemetry import of_run


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
    (told,) = world.telemetry.named("run_taken_over")
    assert told.fields == {**of_run(attempt), "fence": 2, "held_by": "dead"}


def test_an_ordinary_claim_leaves_no_line() -> None:
    """Its run's record has it: who, when, and how many with it."""
    world = World()
    world.execute([prepare(world)], owner="alive")

    assert [event.name for event in world.telemetry.events] == ["run_ended"]
    pickup = only(world).pickup
    assert pickup is not None
    assert (pickup.claimed_at, pickup.batch) == (NOW, 1)


def test_a_fenced_out_worker_records_nothing() -> None:
    """It lost its lease while it worked; the other's outcome stands."""
    world = World()
    message = prepare(world)
    invoke = world.target.invoke

    def lose_the_lease(call: Call) -> Answer:
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


def test_a_long_run_renews_message_and_lease_together() -> None:
    """Every twenty seconds of a lease of sixty; the message always stays hidden longer."""
    world = World()
    world.call_runner.takes = timedelta(seconds=50)
    world.execute([prepare(world, timeout_seconds=60)])
    lease = only(world).lease

    assert lease is not None
    assert lease.expires_at == after(40 + 60)
    assert [hidden.seconds for hidden in world.inbox.hidden] == [65, 65]


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


@pytest.mark.parametrize(
    ("visibility", "hidden"), [(80, []), (900, [65, 65])], ids=["by itself", "by a call"]
)
def test_a_message_returns_soon_whose_worker_dies_before_its_claim(
    visibility: int, hidden: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker is killed as it reads the records: no lease tells the sweeper when to look.

    The call that hid a batch after its claim hides it before: there is no further one.
    """
    world = World()
    messages = [prepare(world, attempt_factory(due_at=after(n / 10))) for n in range(2)]

    monkeypatch.setattr(world.runs, "load_all", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        world.execute(messages, visibility=timedelta(seconds=visibility))

    assert [h.seconds for h in world.inbox.hidden] == hidden
    assert [each.fence for each in world.attempts()] == [0, 0]


def test_a_lease_always_ends_before_its_message_returns() -> None:
    """Even when the message was received long before its claim."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(5)))
    world.execute([message], visibility=timedelta(seconds=62))
    lease = only(world).lease

    assert lease is not None
    assert lease.expires_at < after(62)


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
def test_what_must_not_run_says_why(job: dict[str, Any], state: str, reason: str) -> None:
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
    """A caller asked for it: a pause or an edit in between does not undo that."""
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
