"""Notifications while records come twice, in any order, and their readers die."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.execution.following import interrupted
from tests.support.execution.overlapping import Script, crash, interrupted_stores, throttle
from tests.support.execution.telling import ALERTS, LEDGER, hook, notices, telling, told
from tests.support.factories import after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.jobs.notification import Occasion, parse_notice_mark
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.outcomes.follow_ends import follow_ends

HEARD = (Occasion.SUCCEEDED, Occasion.FAILED, Occasion.DEAD_LETTERED)
HOOKS = (hook(*HEARD), hook(Occasion.FAILED, url=LEDGER))
#: Six records: four ends of which a hook hears, a failure that is tried again, and an end of
#: which no hook hears.
ENDS = [
    (0, 1, RunState.FAILED, Reason.RETRIED),
    (0, 2, RunState.SUCCEEDED, None),
    (60, 1, RunState.FAILED, Reason.PERMANENT),
    (120, 1, RunState.DEAD_LETTERED, Reason.BREAKER_OPENED),
    (120, 2, RunState.SUCCEEDED, None),
    (180, 1, RunState.SKIPPED, Reason.PAUSED),
]
RECORDS = [
    attempt_factory(
        id=attempt_id(number, scheduled_at=after(seconds)),
        state=state,
        reason=reason,
        started_at=after(seconds),
        ended_at=after(seconds + number),
        watch_at=None,
        notify=HEARD,
    )
    for seconds, number, state, reason in ENDS
]
#: Instant, attempt, occasion and address of what is to be told, and of nothing else.
WANTED = sorted(
    [
        (after(0), 2, "succeeded", ALERTS),
        (after(60), 1, "failed", ALERTS),
        (after(60), 1, "failed", LEDGER),
        (after(120), 1, "dead_lettered", ALERTS),
        (after(120), 1, "dead_lettered", LEDGER),
        (after(120), 2, "succeeded", ALERTS),
    ]
)


def show(world: World, batch: Sequence[Attempt]) -> None:
    """Outcomes reads a batch."""
    follow_ends(batch, world.followers, now=world.clock.now())


@given(
    batches=st.lists(
        st.tuples(
            st.lists(st.sampled_from(RECORDS), max_size=8),
            st.integers(0, 16),
            st.sampled_from([crash, throttle]),
        ),
        max_size=3,
    ),
    last=st.permutations(RECORDS),
)
def test_each_end_is_told_once_to_each_who_hears_of_it(
    batches: list[tuple[list[Attempt], int, object]], last: list[Attempt]
) -> None:
    """However often, in whatever order, and after whatever deaths it is read."""
    world = World()
    telling(world, *HOOKS)
    for batch, moment, event in batches:
        interrupted(world, batch, Script(moment, event))  # type: ignore[arg-type]
    show(world, last)
    made = notices(world)
    marks = [parse_notice_mark(each.id.run.about) for each in made]
    urls = {each.id: each.channel.address for each in HOOKS}
    found = sorted(
        (notice.id.run.scheduled_at, mark.attempt, str(mark.occasion), urls[mark.hook])
        for notice, mark in zip(made, marks, strict=True)
        if mark is not None
    )

    assert found == WANTED
    assert [(each.id.number, each.state) for each in made] == [(1, RunState.QUEUED)] * len(WANTED)


def late_run() -> World:
    """A run that is due, and begins too late."""
    world = World()
    telling(world, hook(Occasion.LATE), late_after_seconds=5)
    world.clock.advance(60)
    world.stream()
    return world


def begin(world: World, script: Script) -> None:
    """A worker begins what is published, and dies on the way."""
    with interrupted_stores(world, script, "runs"):
        world.execute(world.receive())


def moments() -> int:
    """Count the store calls of a late run."""
    script = Script(10_000, crash)
    begin(late_run(), script)
    return script.moments


@pytest.mark.parametrize("moment", range(moments()))
def test_a_late_run_is_told_of_whenever_its_worker_dies(moment: int) -> None:
    """Before and after each call to the store: once it has begun, exactly once."""
    world = late_run()
    begin(world, Script(moment, crash))
    for _ in range(6):
        world.stream()
        world.settle()
        world.clock.advance(120)
        world.sweep()
    own = [each for each in world.attempts() if not each.id.run.about]

    assert [each.state for each in own] == [RunState.SUCCEEDED]
    assert len(notices(world)) == 1
    assert len(told(world)) >= 1
