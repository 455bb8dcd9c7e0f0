"""Rate limits, from a run's due instant to the call of its target."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from tests.support.execution.overlapping import limited, slots_of, stored
from tests.support.execution.pacing import SIX_A_MINUTE, job, receive
from tests.support.factories import NOW, OTHER_TENANT, after
from tests.support.world import World
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.explanations import explain_attempt, explain_run
from timegate.domain.ledger.run_log import log_of
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.rate_limit import MAX_WAIT, RateLimit, RatePeriod
from timegate.domain.runs.run import Attempt, Reason, RunState


def states(world: World, attempts: Sequence[Attempt]) -> list[tuple[RunState, datetime]]:
    """Return state and due instant of each attempt."""
    return [(stored(world, each).state, stored(world, each).due_at) for each in attempts]


def test_runs_wait_for_their_turns_in_the_order_in_which_they_were_due(world: World) -> None:
    """Queued for it; nothing was tried, leased or failed."""
    runs = [job(world, name, at=at) for name, at in [("c", -1), ("a", -3), ("b", -2)]]
    receive(world, *runs)

    assert states(world, [runs[1]]) == [(RunState.SUCCEEDED, after(-3))]
    assert states(world, [runs[2], runs[0]]) == [
        (RunState.QUEUED, after(10)),
        (RunState.QUEUED, after(20)),
    ]
    waiting = stored(world, runs[0])
    assert (waiting.fence, waiting.leases, waiting.releases, waiting.id.number) == (0, 0, 0, 1)
    assert world.telemetry.counts["RunsPaced"] == 2


def test_each_begins_at_its_turn(world: World) -> None:
    """Its message comes early enough to be held until then, and asks for no second turn."""
    first, second = job(world, "a", at=-1), job(world, "b")
    world.read_images = len(world.tables.images)
    receive(world, first, second)
    used = dict(world.tables.used_until)
    world.stream()
    (sent,) = world.publisher.sent
    world.clock.set(after(sent.delay_seconds))
    world.execute(world.receive())
    done = stored(world, second)

    assert 8 <= sent.delay_seconds <= 9
    assert (done.state, done.started_at) == (RunState.SUCCEEDED, after(10))
    assert world.tables.used_until == used


def test_a_wait_of_two_seconds_is_spent_in_the_worker(world: World) -> None:
    """The wait is recorded and does not shorten the work; a longer wait is put off."""
    half = RateLimit(calls=30, per=RatePeriod.MINUTE)
    runs = [job(world, name, at=-1, rate_limit=half) for name in "abc"]
    receive(world, *runs)
    ended = sorted(world.attempts(), key=lambda each: each.due_at)
    held = [each for each in ended if each.pace is not None]
    assert len(runs) == len(held) + 1

    assert [(each.state, each.started_at) for each in held] == [
        (RunState.SUCCEEDED, after(2)),
        (RunState.QUEUED, None),
    ]
    assert held[0].pace is not None
    assert (held[0].pace.since, held[0].due_at) == (after(-1), after(2))


def test_who_reads_of_it_is_told_why_it_began_late(world: World) -> None:
    """While it waits, and thereafter."""
    receive(world, job(world, "a", at=-1), waiting := job(world, "b"))
    late = stored(world, waiting)
    said = explain_run(late)
    world.clock.set(after(9))
    receive(world, late)
    done = stored(world, late)

    assert (
        said
        == "It was due, and waits for its turn under a rate limit, at 2026-11-21T07:00:10.000Z."
    )
    assert explain_attempt(done) == (
        "It ran and succeeded. It was to begin at 2026-11-21T07:00:00.000Z, and the rate limit of"
        " webhook:hooks.example.com let it at 2026-11-21T07:00:10.000Z."
    )
    assert log_of([done])[0].text == (
        "attempt 1, due at 2026-11-21T07:00:00.000Z, let by the rate limit of"
        " webhook:hooks.example.com at 2026-11-21T07:00:10.000Z"
    )


def test_a_job_without_a_limit_pays_nothing(world: World) -> None:
    """Nor does one wait for it."""
    receive(world, job(world, "a"), job(world, "b", rate_limit=None))

    assert world.states().count(RunState.SUCCEEDED) == 2
    assert len(world.tables.used_until) == 1


@pytest.mark.parametrize(
    ("fields", "waits"),
    [
        pytest.param({}, True, id="same-host"),
        pytest.param({"action": WebhookAction(url="https://example.org/")}, False, id="another"),
        pytest.param({"tenant": OTHER_TENANT}, False, id="another-tenant"),
        pytest.param({"rate_limit": replace(SIX_A_MINUTE, key="crm")}, False, id="another-key"),
    ],
)
def test_whose_calls_are_counted_together(
    world: World, fields: dict[str, Any], *, waits: bool
) -> None:
    """Calls of one target or one name share a limit."""
    tenant = fields.get("tenant")
    first, second = job(world, "a"), job(world, "b", **fields)
    if tenant is not None:
        second = replace(second, tenant=tenant)
        world.runs.insert_all([second])
    receive(world, first, second)

    assert (RunState.QUEUED in {stored(world, first).state, stored(world, second).state}) is waits


def test_two_messages_of_one_run_take_one_turn(world: World) -> None:
    """The second is a duplicate."""
    run = job(world, "a")
    receive(world, run, run)
    receive(world, other := job(world, "b", at=0.001))

    assert stored(world, other).due_at == after(10)
    assert world.telemetry.counts["DuplicatesRefused"] == 1


@pytest.mark.parametrize(("within", "state"), [(10, RunState.QUEUED), (9, RunState.SKIPPED)])
def test_a_run_that_could_not_start_in_time_takes_no_turn(
    world: World, within: int, state: RunState
) -> None:
    """It is late, and the next one has the turn."""
    receive(world, job(world, "a"))
    receive(world, short := job(world, "b", start_within_seconds=within))
    receive(world, last := job(world, "c"))
    ended = stored(world, short)

    assert (ended.state, ended.reason) == (
        state,
        Reason.LATE if state is RunState.SKIPPED else None,
    )
    assert stored(world, last).due_at == after(10 if state is RunState.SKIPPED else 20)


def test_a_run_that_is_too_late_for_its_turn_keeps_no_slot(world: World) -> None:
    """The runs that wait for its slot would have waited until its lease had expired."""
    receive(world, job(world, "a"))
    one = limited(OverlapPolicy.QUEUE)
    receive(world, late := job(world, "b", overlap=one, start_within_seconds=9))

    assert stored(world, late).state is RunState.SKIPPED
    assert slots_of(world, late).holders == ()


def test_a_turn_in_more_than_a_year_is_too_late(world: World) -> None:
    """For a run that has begun as well: that one is cancelled."""
    far = int((NOW + MAX_WAIT).timestamp() + 60) * 1_000_000
    run = job(world, "a")
    receive(world, job(world, "z", at=-1))
    (key,) = world.tables.used_until
    world.rates.hold_back(key, used_until=far, at=NOW)
    receive(world, run)

    assert (stored(world, run).state, stored(world, run).reason) == (RunState.SKIPPED, Reason.LATE)


def test_a_hook_hears_of_a_run_that_is_too_late_for_its_turn(world: World) -> None:
    """A job that tells of skipped runs tells of these as of any other."""
    hook = Subscription(channel=WebhookChannel(url="https://example.com"), on=(Occasion.SKIPPED,))
    run = job(world, "a", notifications=(hook,))
    receive(world, job(world, "z", at=-1))
    (key,) = world.tables.used_until
    far = int((NOW + MAX_WAIT).timestamp() + 60) * 1_000_000
    world.rates.hold_back(key, used_until=far, at=NOW)
    receive(world, run)

    assert stored(world, run).heard_occasion is Occasion.SKIPPED
