"""Freezes, and backfills of its past, happen to a job that the auditor watches."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import strategies as st

from tests.property.planning.planning_story import Event, Story
from tests.support.factories import JOB_ID, TENANT, freeze_factory
from tests.support.operations.started_operations import (
    REQUEST,
    finish,
    start_filling,
    stored,
    unfinished,
)
from timegate.domain.operations.operation import Reprocess
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.values.errors import JobIsPaused

_SCOPES = [
    FreezeScope(kind=FreezeKind.TENANT),
    FreezeScope(kind=FreezeKind.JOB, value=JOB_ID),
]


def freeze(draw: st.DrawFn, story: Story, skew: float, crash: tuple[int, bool] | None) -> None:
    """Announce one, or begin it at once; it may be over before a planner sees it."""
    ahead = draw(st.sampled_from([0, 0, 300, 1200]))
    length = draw(st.sampled_from([60, 600, 3600, 86_400]))
    scope, thaw = draw(st.sampled_from(_SCOPES)), draw(st.sampled_from(ThawPolicy))

    def begin(now: datetime) -> None:
        starts = now + timedelta(seconds=ahead)
        frozen = freeze_factory(
            scope=scope,
            thaw=thaw,
            starts_at=starts,
            ends_at=starts + timedelta(seconds=length),
            created_at=now,
        )
        story.world.restrictions.put_freeze(TENANT, frozen, now=now)

    story.act(begin, skew, crash)


def lift(draw: st.DrawFn, story: Story, skew: float, crash: tuple[int, bool] | None) -> None:
    """End one of them early."""
    restrictions = story.world.restrictions
    unended = restrictions.unended_freezes(TENANT, now=story.world.clock.now())
    if unended:
        lifted = draw(st.sampled_from(unended)).freeze_id
        story.act(lambda now: restrictions.lift_freeze(TENANT, lifted, now=now), skew, crash)


def fill(draw: st.DrawFn, story: Story, skew: float, crash: tuple[int, bool] | None) -> None:
    """Backfill some of the past; its operator may die, and its runs end."""
    start, length = draw(st.integers(0, 7200)), draw(st.integers(0, 7200))
    # A repeated request would change nothing.
    number = len(story.stale)

    def begin(now: datetime) -> None:
        first = now - timedelta(seconds=start)
        request = replace(REQUEST, idempotency_key=f"fill-{number}", hash=f"{number}")
        with suppress(JobIsPaused):
            operation = start_filling(
                story.world,
                request,
                start=first,
                end=min(now, first + timedelta(seconds=length)),
                reprocess=Reprocess.NONE,
                max_concurrent=100,
            )
            while stored(story.world, operation).is_running:
                story.world.operate()
                for attempt in unfinished(story.world):
                    if attempt.operation == operation.operation_id:
                        finish(story.world, attempt)

    story.act(begin, skew, crash)


#: Events that the stories of planning leave out.
ALSO: dict[str, Event] = {"freeze": freeze, "lift": lift, "fill": fill}
