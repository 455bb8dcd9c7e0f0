"""A run under exactly_once keeps one effect, whichever step fails."""

from dataclasses import replace
from datetime import datetime, timedelta
from unittest.mock import Mock

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import (
    NOW,
    TENANT,
    after,
    attempt_factory,
    lease_factory,
    running,
)
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.delivery import DeliveryMode, KeptAnswer
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import LeaseLost, Throttled

EXACTLY = DeliveryMode.EXACTLY_ONCE


def test_a_claim_says_under_which_mode() -> None:
    """The mode of the job as it is then."""
    world = World()
    world.execute([prepare(world, delivery=EXACTLY)])

    assert only(world).delivery is EXACTLY


@pytest.mark.parametrize(
    ("attempt", "prevented"),
    [
        pytest.param(
            attempt_factory(
                state=RunState.SUCCEEDED, watch_at=None, ended_at=NOW, fence=1, delivery=EXACTLY
            ),
            1,
            id="ended",
        ),
        pytest.param(replace(running(), delivery=EXACTLY), 1, id="live lease"),
        pytest.param(running(), 0, id="at least once"),
    ],
)
def test_a_duplicate_delivery_is_counted_on_the_run(attempt: Attempt, prevented: int) -> None:
    """The run's own count is kept under exactly_once; a metric counts every duplicate."""
    world = World()
    world.execute([prepare(world, attempt, delivery=EXACTLY)])

    assert only(world).duplicates_prevented == prevented
    assert world.telemetry.counts["DuplicatesPrevented"] == prevented
    assert world.telemetry.counts["DuplicatesRefused"] == 1


def test_a_count_that_fails_disturbs_no_run() -> None:
    """The neighbour in the batch is executed."""
    world = World()
    first = prepare(world, replace(running(), delivery=EXACTLY), delivery=EXACTLY)
    due = attempt_factory(due_at=after(-60), delivery=EXACTLY)
    world.runs.insert_all([due])

    world.runs.count_duplicate = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    again = world.execute([first, delivery(RunMessage.of(due), 1)])

    assert again == set()
    assert len(world.target.calls) == 1


def overtaken(world: World, *, mode: DeliveryMode) -> None:
    """A worker's lease is taken from it while its target works; the target answers all the same."""
    message = prepare(world, delivery=mode)
    invoke = world.target.invoke

    def lose_the_lease(call: Call) -> Answer:
        taken = lease_factory(owner="other", fence=2, expires_at=after(30), deadline_at=after(30))
        world.tables.put_attempt(replace(only(world), fence=2, lease=taken))
        world.target.invoke = invoke  # type: ignore[method-assign]
        return invoke(call)

    world.target.invoke = lose_the_lease  # type: ignore[method-assign]
    world.execute([message])


def test_an_answer_that_comes_too_late_is_kept() -> None:
    """Its worker may end nothing any more, but the effect is there."""
    world = World()
    overtaken(world, mode=EXACTLY)

    assert only(world).state is RunState.RUNNING
    assert only(world).kept_answer == KeptAnswer(text="ok", fence=1, at=NOW)


def test_at_least_once_keeps_no_answer() -> None:
    """The run's present holder executes it."""
    world = World()
    overtaken(world, mode=DeliveryMode.AT_LEAST_ONCE)

    assert only(world).kept_answer is None


def test_a_take_over_finds_the_answer_and_calls_no_target() -> None:
    """The run succeeds with it, and counts the duplicate that did not happen."""
    world = World()
    overtaken(world, mode=EXACTLY)
    world.clock.set(after(30))
    world.execute([delivery(RunMessage.of(only(world)))], owner="third")
    ended = only(world)

    assert len(world.target.calls) == 1
    assert (ended.state, ended.result, ended.fence) == (RunState.SUCCEEDED, "ok", 3)
    assert (ended.started_at, ended.duplicates_prevented) == (None, 1)
    assert ended.explanation == (
        "not executed again: the answer to the call under fence 1 was on record,"
        " from 2026-11-21T07:00:00.000Z"
    )


def test_a_retry_finds_the_answer_to_an_earlier_attempt() -> None:
    """The sweeper timed that one out; the answer came after all."""
    world = World()
    first = replace(
        running(),
        state=RunState.TIMED_OUT,
        reason=Reason.RETRIED,
        watch_at=None,
        ended_at=NOW,
        delivery=EXACTLY,
        kept_answer=KeptAnswer(text="done", fence=1, at=NOW),
    )
    world.runs.insert_all([first])
    retry = attempt_factory(id=first.id.next(), fence=1, fenced_from=1)
    world.execute([prepare(world, retry, delivery=EXACTLY)])
    _, second = world.attempts()

    assert world.target.calls == []
    assert (second.state, second.result) == (RunState.SUCCEEDED, "done")


def test_a_run_that_is_opened_again_is_executed_again() -> None:
    """That is what it was opened for: an answer from before does not stand for another."""
    world = World()
    first = replace(
        running(),
        state=RunState.SUCCEEDED,
        watch_at=None,
        ended_at=NOW,
        delivery=EXACTLY,
        kept_answer=KeptAnswer(text="done", fence=1, at=NOW),
    )
    world.runs.insert_all([first])
    again = attempt_factory(id=first.id.next(), fence=1, fenced_from=1, opened_as=2)
    world.execute([prepare(world, again, delivery=EXACTLY)])

    assert len(world.target.calls) == 1


def test_the_first_lease_looks_for_no_answer() -> None:
    """A short run costs what it costs in any mode."""
    world = World()
    reads: list[object] = []
    load_all = world.runs.load_all

    def counted(refs: object) -> object:
        reads.append(refs)
        return load_all(refs)  # type: ignore[arg-type]

    world.runs.load_all = counted  # type: ignore[method-assign, assignment]
    world.execute([prepare(world, delivery=EXACTLY)])

    assert len(reads) == 1


def test_a_worker_that_lost_its_lease_still_waits_for_its_answer() -> None:
    """Heartbeats end; the call is not abandoned, for its effect may be on its way."""
    world = World()
    world.call_runner.takes = timedelta(seconds=50)
    message = prepare(world, delivery=EXACTLY, timeout_seconds=60)

    def lost(_: Attempt, *, expires_at: datetime, **_said: object) -> bool:
        taken = lease_factory(owner="other", fence=2, expires_at=after(300), deadline_at=after(300))
        world.tables.put_attempt(replace(only(world), fence=2, lease=taken))
        raise LeaseLost(str(expires_at))

    world.runs.extend = lost  # type: ignore[method-assign, assignment]
    world.execute([message])

    assert only(world).kept_answer == KeptAnswer(text="ok", fence=1, at=after(50))
    assert only(world).tenant == TENANT
