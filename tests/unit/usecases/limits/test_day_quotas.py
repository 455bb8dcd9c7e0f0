"""A tenant's quota of runs per day: what begins counts, and what is beyond it is skipped."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tests.support.execution.overlapping import (
    Script,
    claimed,
    due,
    finish,
    interrupted_stores,
    limited,
    slots_of,
    stored,
    throttle,
)
from tests.support.factories import OTHER_TENANT, TENANT, attempt_factory, attempt_id, job_id
from tests.support.world import World, delivery
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.day_quota import day_of, first_claim_counts, seconds_left
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.explanations import explain_attempt, explain_run
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.limits.quotas import Quotas
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import Origin
from timegate.usecases.execution.claims.claim_runs import claim_runs

FREE = Overlap()
MIDNIGHT = datetime(2026, 11, 22, tzinfo=UTC)
BEYOND = (RunState.SKIPPED, Reason.QUOTA)


def world_with(runs: int | None) -> World:
    """In which the tenant may begin so many runs a day."""
    world = World()
    before = world.tenants.get(TENANT)
    assert world.tenants.put(TENANT, before, replace(before, quotas=Quotas(runs_per_day=runs)))
    return world


def due_at(world: World, name: str, instant: datetime) -> Attempt:
    """A job with one attempt that is queued for an instant."""
    world.add_job(job_id=job_id(name), anchored_at=world.now)
    attempt = attempt_factory(
        id=attempt_id(job=job_id(name), scheduled_at=instant),
        due_at=instant,
        state=RunState.QUEUED,
    )
    world.tables.put_attempt(attempt)
    return attempt


def ends(world: World, *attempts: Attempt) -> list[tuple[RunState, Reason | None]]:
    found = [stored(world, attempt) for attempt in attempts]
    return [(each.state, each.reason) for each in found]


def begun(world: World) -> int:
    return world.runs.begun(TENANT, day_of(world.clock.now()))


def test_one_too_many_is_skipped_and_says_why() -> None:
    """In the record, in words and in numbers."""
    world = world_with(2)
    runs = [due(world, name, FREE) for name in "abc"]
    held = [claimed(world, run) for run in runs]
    last = stored(world, runs[2])

    assert [each is not None for each in held] == [True, True, False]
    assert ends(world, runs[2]) == [BEYOND]
    assert explain_run(last) == "The tenant's quota of runs per day was used up."
    assert explain_attempt(last) == (
        "the 2 runs that the tenant may begin on 2026-11-21 (UTC) had begun"
    )
    assert world.telemetry.counts["RunsBeyondDay"] == 1
    assert world.telemetry.counts["RunsSkipped"] == 1


def test_of_a_batch_those_that_were_due_first_begin() -> None:
    """However their messages came."""
    world = world_with(2)
    runs = [due(world, name, FREE, at=at) for at, name in enumerate("abcd")]
    world.clock.advance(10)
    messages = [delivery(RunMessage.of(run)) for run in reversed(runs)]
    held = claim_runs(messages, world.execution()).held

    assert {each.attempt.id for each in held} == {run.id for run in runs[:2]}
    assert ends(world, *runs[2:]) == [BEYOND] * 2


def test_a_run_counts_once_however_often_it_is_claimed() -> None:
    """Neither a dead worker's successor nor a retry needs room."""
    world = world_with(1)
    run = due(world, "a", FREE)
    first = claimed(world, run)
    world.clock.advance(61)
    second = claimed(world, stored(world, run), owner="another")
    retry = attempt_factory(id=run.id.next(), due_at=world.clock.now(), fence=2, fenced_from=2)
    world.runs.insert_all([retry])

    assert (first is not None, second is not None) == (True, True)
    assert claimed(world, retry) is not None
    assert begun(world) == 1


@pytest.mark.parametrize("origin", Origin)
def test_every_kind_of_run_counts_but_tasks_and_notices(origin: Origin) -> None:
    """Half a pipeline is worse than none, and the hook of the job is told."""
    run = replace(attempt_id().run, origin=origin)
    attempt = attempt_factory(id=replace(attempt_id(), run=run))
    begun_before = replace(attempt, fence=1)

    assert first_claim_counts(attempt) is (origin not in {Origin.TASK, Origin.NOTIFICATION})
    assert not first_claim_counts(begun_before)


@pytest.mark.parametrize(
    ("due_after", "day"),
    [(0, 22), (-0.001, 21)],
    ids=["due at midnight", "due a moment before"],
)
def test_a_run_counts_on_the_day_on_which_it_begins(due_after: float, day: int) -> None:
    """A claim comes a moment early: the run begins when it is due."""
    world = world_with(1)
    world.clock.advance((MIDNIGHT - world.now).total_seconds() - 0.2)
    claimed(world, due_at(world, "a", MIDNIGHT + timedelta(seconds=due_after)))

    assert world.runs.begun(TENANT, MIDNIGHT.date().replace(day=day)) == 1


def test_the_next_day_has_room_again() -> None:
    """From midnight on, in UTC; what was skipped stays so."""
    world = world_with(1)
    world.clock.advance((MIDNIGHT - world.now).total_seconds() - 10)
    runs = [due_at(world, name, world.clock.now()) for name in "ab"]
    held = [claimed(world, run) is not None for run in runs]
    world.clock.advance(10)

    assert held == [True, False]
    assert claimed(world, due_at(world, "c", MIDNIGHT)) is not None
    assert ends(world, runs[1]) == [BEYOND]


def test_the_time_to_the_next_day_is_told_in_whole_seconds() -> None:
    """Never none, and never less than it is."""
    told = [
        seconds_left(MIDNIGHT.replace(hour=23, minute=59, second=59)),
        seconds_left(MIDNIGHT.replace(hour=23, minute=59, second=58, microsecond=1)),
        seconds_left(MIDNIGHT),
    ]

    assert told == [1, 2, 86_400]


def test_others_are_not_counted() -> None:
    """Nor held up."""
    world = world_with(0)
    run = due(world, "a", FREE)
    world.tables.attempts.clear()
    theirs = replace(run, tenant=OTHER_TENANT)
    world.add_job(tenant=OTHER_TENANT, job_id=run.id.run.job_id)
    world.runs.insert_all([theirs])

    assert claimed(world, theirs) is not None
    assert world.tables.begun[OTHER_TENANT, day_of(world.now)] == 0


def test_what_does_not_begin_holds_no_slot_and_holds_up_no_other() -> None:
    """A refused run leaves neither its key's slots nor the quota of concurrent runs in use."""
    world = world_with(1)
    before = world.tenants.get(TENANT)
    quotas = Quotas(runs_per_day=1, concurrent_runs=5)
    world.tenants.put(TENANT, before, replace(before, quotas=quotas))
    queue = limited(OverlapPolicy.QUEUE)
    finish(world, claimed(world, due(world, "a", queue)))
    beyond = due(world, "b", queue, at=1)
    world.clock.advance(2)
    claimed(world, beyond)

    assert ends(world, beyond) == [BEYOND]
    assert slots_of(world, beyond).holders == ()
    assert [h for each in world.tables.slots.values() for h in (*each.holders, *each.waiters)] == []


def test_a_known_full_day_takes_no_turn_of_a_rate_limit() -> None:
    """Turns are for those that begin."""
    world = world_with(0)
    limit = RateLimit(calls=1, burst=1, key="target")
    run = due(world, "a", FREE, rate_limit=limit)
    claimed(world, run)

    assert ends(world, run) == [BEYOND]
    assert dict(world.tables.used_until) == {}


def test_a_hook_hears_of_it() -> None:
    """A job that tells of skipped runs tells of these."""
    world = world_with(0)
    hook = Subscription(channel=WebhookChannel(url="https://example.com"), on=(Occasion.SKIPPED,))
    run = due(world, "a", FREE, notifications=(hook,))
    claimed(world, run)

    assert stored(world, run).heard_occasion is Occasion.SKIPPED


def test_it_completes_its_job() -> None:
    """A run that was the last one, and did not begin, is an end all the same."""
    world = world_with(0)
    world.add_job(job_id=job_id("a"), next_run_at=None)
    last = attempt_factory(id=attempt_id(job=job_id("a")), final=True)
    world.runs.insert_all([last])
    claimed(world, last)
    world.stream()

    assert world.jobs.get(TENANT, job_id("a")).timing.status is JobStatus.COMPLETED


@pytest.mark.parametrize("moment", range(4))
def test_a_store_that_refuses_leaves_nothing_counted_that_did_not_begin(moment: int) -> None:
    """The message comes again after a failure at any call, and the run begins once."""
    world = world_with(1)
    run = due(world, "a", limited(OverlapPolicy.QUEUE))
    with interrupted_stores(world, Script(moment, throttle), "runs"):
        world.execute([delivery(RunMessage.of(run))])
    world.clock.advance(61)
    world.execute([delivery(RunMessage.of(stored(world, run)))])

    assert stored(world, run).state is RunState.SUCCEEDED
    assert world.tables.begun[TENANT, day_of(world.now)] == 1


def test_a_tenant_without_the_quota_is_claimed_as_ever() -> None:
    """No call more, and none of another kind."""
    world = world_with(None)
    run = due(world, "a", FREE)
    called: list[str] = []
    asked = world.runs

    class Listening:
        def __getattr__(self, name: str) -> object:
            called.append(name)
            return getattr(asked, name)

    world.runs = Listening()  # type: ignore[assignment]
    world.execute([delivery(RunMessage.of(run))])

    assert called == ["load_all", "claim_all", "finish_all"]


def test_one_beyond_the_day_leaves_its_line_to_the_next() -> None:
    """Else the next would wait until a look that comes a minute later."""
    world = world_with(1)
    queue = limited(OverlapPolicy.QUEUE)
    holder = claimed(world, due(world, "a", queue, at=-9))
    early, late = due(world, "b", queue, at=-5), due(world, "c", queue)
    claimed(world, early)
    claimed(world, late)
    finish(world, holder)
    claimed(world, stored(world, early))

    assert ends(world, early) == [BEYOND]
    assert stored(world, late).state is RunState.QUEUED
