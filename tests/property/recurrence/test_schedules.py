"""Properties of every schedule."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain, islice, pairwise
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import (
    MILLISECOND,
    SECOND,
    ZONES,
    Look,
    bounded,
    instants,
    looks,
    rates,
    schedules,
)
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.fires import fires_between, next_fire, nominates, preview
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.recurrence.zones import zone_clock
from timegate.domain.values.errors import InvalidInput

#: Fires walked one by one.
STEPS = 60


def fires(
    look: Look, after: datetime | None = None, until: datetime | None = None
) -> list[datetime]:
    """Return the schedule's instants in its window, or in a part of it."""
    return list(
        fires_between(
            look.schedule,
            created_at=look.created_at,
            after=after or look.after,
            until=until or look.until,
        )
    )


def following(look: Look, after: datetime) -> datetime | None:
    return next_fire(look.schedule, created_at=look.created_at, after=after)


def refuses(attempt: Callable[[], object]) -> bool:
    """Return whether it raises ``InvalidInput``; any other error is the test's failure."""
    try:
        attempt()
    except InvalidInput:
        return True
    return False


@settings(max_examples=some(150))
@given(look=looks(), cuts=st.lists(st.floats(0, 1), max_size=4))
def test_windows_laid_end_to_end_name_every_instant_once(look: Look, cuts: list[float]) -> None:
    """However a planner's ticks happen to cut time."""
    length = look.until - look.after
    edges = [look.after, *(look.after + cut * length for cut in sorted(cuts)), look.until]
    parts = [fires(look, first, last) for first, last in pairwise(edges)]

    assert fires(look) == list(chain.from_iterable(parts))


@settings(max_examples=some(100))
@given(look=looks(), pick=st.floats(0, 1))
def test_a_window_may_be_cut_exactly_at_a_fire(look: Look, pick: float) -> None:
    """Or a microsecond to either side of it."""
    whole = fires(look)
    cut = whole[int(pick * (len(whole) - 1))] if whole else look.after
    for edge in (cut - timedelta(microseconds=1), cut, cut + timedelta(microseconds=1)):
        if look.after <= edge <= look.until:
            assert whole == fires(look, look.after, edge) + fires(look, edge, look.until)


@settings(max_examples=some(150))
@given(look=looks())
def test_fires_are_aware_strictly_increasing_and_inside_the_window(look: Look) -> None:
    """With the precision that names a run."""
    found = fires(look)

    assert all(earlier < later for earlier, later in pairwise([look.after, *found]))
    assert all(fire <= look.until for fire in found)
    assert all(fire.tzinfo is UTC and fire.microsecond % 1000 == 0 for fire in found)


@settings(max_examples=some(150))
@given(look=looks())
def test_the_next_fire_is_strictly_later_and_leaves_none_out(look: Look) -> None:
    """Walking from fire to fire meets those of the window, and no other."""
    walked: list[datetime] = []
    position = look.after
    while (fire := following(look, position)) is not None and len(walked) < STEPS:
        assert fire > position
        if fire > look.until:
            break
        walked.append(fire)
        position = fire

    assert fires(look)[:STEPS] == walked


@settings(max_examples=some(200))
@given(look=bounded())
def test_no_fire_is_outside_the_bounds_and_none_inside_is_lost(look: Look) -> None:
    """Both bounds included; the anchor of a rate is its ``starts_at``."""
    starts_at, ends_at = look.schedule.starts_at, look.schedule.ends_at
    is_cron = look.schedule.kind is ScheduleKind.CRON
    free = replace(look.schedule, ends_at=None, starts_at=None if is_cron else starts_at)
    expected = [
        fire
        for fire in fires(replace(look, schedule=free))
        if (starts_at is None or starts_at <= fire) and (ends_at is None or fire <= ends_at)
    ]

    assert expected == fires(look)


@settings(max_examples=some(100))
@given(look=looks(), zone=st.sampled_from(ZONES))
def test_replaying_names_the_same_instants(look: Look, zone: str) -> None:
    """In a fresh process, backwards, and whatever zone the caller thinks in."""
    first = fires(look)
    parse_cron.cache_clear()
    zone_clock._window.cache_clear()
    again = fires(
        look, look.after.astimezone(ZoneInfo(zone)), look.until.astimezone(ZoneInfo(zone))
    )
    middle = look.after + (look.until - look.after) / 2
    late, early = fires(look, middle), fires(look, until=middle)

    assert first == again == early + late


@settings(max_examples=some(100))
@given(look=looks(), offsets=st.lists(st.integers(-5000, 5000), max_size=5))
def test_a_schedule_nominates_its_fires_and_nothing_else(look: Look, offsets: list[int]) -> None:
    """Adoption by a new version loses no instant and invents none."""
    found = fires(look)
    nearby = {look.until + offset * MILLISECOND for offset in offsets}
    around = {fire + offset * MILLISECOND for fire in found[:3] for offset in offsets}
    instants = [*found[:STEPS], *(i for i in nearby | around if look.after < i <= look.until)]

    for instant in instants:
        named = nominates(look.schedule, created_at=look.created_at, instant=instant)
        assert named is (instant in found)


@settings(max_examples=some(100))
@given(look=looks(rates))
def test_a_rate_is_an_arithmetic_progression(look: Look) -> None:
    """From its anchor, without drift: nothing else about it needs computing."""
    every = (look.schedule.every_seconds or 0) * SECOND
    first = look.schedule.starts_at or look.created_at + every
    steps = range((look.until - first) // every + 1)
    expected = [first + step * every for step in steps[-3000:]]

    assert [fire for fire in expected if fire > look.after] == fires(look)


@settings(max_examples=some(100))
@given(look=looks(), count=st.integers(0, 20), max_runs=st.none() | st.integers(1, 20))
def test_a_preview_is_the_beginning(look: Look, count: int, max_runs: int | None) -> None:
    """The preview holds the first fires after an instant."""
    schedule = look.schedule
    if schedule.is_recurring:
        schedule = replace(schedule, max_runs=max_runs)
    shown = preview(schedule, created_at=look.created_at, after=look.after, count=count)
    far = look.after + timedelta(days=400 * 366)
    unbounded = fires_between(
        look.schedule, created_at=look.created_at, after=look.after, until=far
    )
    limit = count if schedule.max_runs is None else min(count, schedule.max_runs)

    assert list(islice(unbounded, limit)) == shown


@settings(max_examples=some(150))
@given(schedule=schedules | bounded().map(lambda look: look.schedule), now=instants)
def test_what_is_accepted_fires(schedule: Schedule, now: datetime) -> None:
    """A job with a schedule that never fires cannot be created; and every schedule has words."""
    # Policies that can have no effect are refused for themselves: see test_validate_schedule.
    schedule = replace(schedule, dst=None, gap=GapPolicy.RUN_AFTER, fold=FoldPolicy.FIRST)
    # One that recurs begins after now; another may name now itself.
    after = now if schedule.is_recurring else now - MILLISECOND
    fire = next_fire(schedule, created_at=now, after=after)
    refused = refuses(lambda: validate_schedule(schedule, now=now))

    assert refused is (fire is None)
    assert describe(schedule)


@settings(max_examples=some(300))
@given(
    text=st.one_of(
        st.text(max_size=30),
        st.lists(
            st.text("0123456789*/-,#?LlWw@ \tmonjanSUN", min_size=1, max_size=6),
            min_size=5,
            max_size=6,
        ).map(" ".join),
    )
)
def test_any_text_is_a_cron_or_is_refused(text: str) -> None:
    """The parser answers any text; an accepted text can be described and walked."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=text)
    now = datetime(2026, 11, 21, 7, tzinfo=UTC)
    refused = refuses(lambda: validate_schedule(schedule, now=now))

    assert refused or describe(schedule)


@settings(max_examples=some(200))
@given(zone=st.text(max_size=40))
def test_any_text_is_a_zone_or_is_refused(zone: str) -> None:
    """A file name is no way into the file system."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron="@daily", timezone=zone)
    now = datetime(2026, 11, 21, 7, tzinfo=UTC)

    assert refuses(lambda: validate_schedule(schedule, now=now)) or ZoneInfo(zone)
