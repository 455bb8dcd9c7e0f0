"""Long calls share the time of their environment, and each says its share with its end."""

from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW, after, lease_factory
from tests.support.world import World
from tests.unit.usecases.execution.batches.test_suspects import added, stored
from timegate.domain.metering.metered_attempt import MeteredAttempt
from timegate.usecases.execution.claims.messages_at_hand import Gatherer, SharedTime
from timegate.usecases.services.execution_services import Claimed

#: Beginnings and lengths of calls in milliseconds.
CALLS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 500)), min_size=1, max_size=12)


@given(CALLS)
def test_shares_of_calls_are_together_the_time_with_a_call(calls: list[tuple[int, int]]) -> None:
    """No time is charged twice, or not at all."""
    shared = SharedTime()
    steps = sorted(
        [(begin, 1, n) for n, (begin, _) in enumerate(calls)]
        + [(begin + length, 2, n) for n, (begin, length) in enumerate(calls)]
    )
    marks, charged = {}, timedelta(0)
    for at, step, number in steps:
        now = NOW + timedelta(milliseconds=at)
        if step == 1:
            marks[number] = shared.begin(now)
        else:
            charged += shared.end(marks[number], now)
    busy = {moment for begin, length in calls for moment in range(begin, begin + length)}

    assert charged / timedelta(milliseconds=1) == pytest.approx(len(busy), abs=0.1)


def test_a_clock_that_goes_back_charges_nothing() -> None:
    """Nor does it give any time back."""
    shared = SharedTime()
    mark = shared.begin(after(1))

    assert shared.end(mark, NOW) == timedelta(0)


@pytest.mark.parametrize(("seconds", "charged"), [(0.999, None), (1, 1000), (30, 30_000)])
def test_the_end_of_a_long_call_says_its_share(seconds: float, charged: int | None) -> None:
    """A short one is billed by its batch: no other calls join it."""
    world = World()
    message = added(world, "long")
    world.call_runner.takes = timedelta(seconds=seconds)
    world.execute([message])
    ended = stored(world, message)

    assert ended.ended_at == after(seconds)
    assert ended.environment_ms == charged


def test_a_hundred_calls_of_an_environment_are_billed_its_time() -> None:
    """They were claimed by ten claims, each of which was billed an environment of its own."""
    world = World()
    gatherer, calls = Gatherer(world.execution()), []
    with ExitStack() as under_way:
        for number in range(100):
            message = added(world, f"run {number}")
            attempt = replace(stored(world, message), started_at=NOW)
            job = world.jobs.get(attempt.tenant, attempt.id.run.job_id)
            held = Claimed(delivery=message, attempt=attempt, job=job, lease=lease_factory())
            calls.append(under_way.enter_context(gatherer.calling(held)))
        world.clock.advance(30)
    ended = [replace(each.claimed.attempt, ended_at=after(30)) for each in calls]
    metered = [MeteredAttempt(attempt=each, size_bytes=700) for each in ended]

    assert sum(each.environment_seconds for each in metered) == pytest.approx(30, abs=0.1)


def test_a_run_whose_share_is_not_known_is_billed_by_its_batch() -> None:
    """An earlier release ended it, or its worker died."""
    world = World()
    message = added(world, "long")
    attempt = replace(stored(world, message), started_at=NOW, ended_at=after(30))

    assert MeteredAttempt(attempt=attempt, size_bytes=700).environment_seconds == 30
