"""Expected records of a story of calendars and freezes, said without the product."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from tests.property.restrictions.restriction_story import CLOSED, MINUTE, RestrictedStory
from tests.support.factories import JOB_ID, NOW, TENANT
from tests.support.stores.sound import sound_gaps
from timegate.domain.calendars.calendar_rule import CalendarAction
from timegate.domain.jobs.catch_up import CatchUpPolicy
from timegate.domain.ledger.ledger import Gap
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState

_STRICTEST = [ThawPolicy.SKIP, ThawPolicy.LATEST, ThawPolicy.JOB, ThawPolicy.ALL]
#: A span in which nothing starts, and the policy with which it thaws.
Frozen = tuple[datetime, datetime, ThawPolicy]


def named(story: RestrictedStory, last: datetime) -> Iterator[datetime]:
    """The instants of its job, by counting up."""
    instant = NOW + story.period
    while instant <= last:
        yield instant
        instant += story.period


def closed_until(known: Restrictions, instant: datetime) -> datetime | None:
    """The end of the period that holds an instant; there is one at most."""
    calendar = known.calendars.get(CLOSED)
    periods = calendar.periods if calendar is not None else ()
    return next((each.end for each in periods if each.start <= instant < each.end), None)


def runs_at(story: RestrictedStory, known: Restrictions, instant: datetime) -> datetime | None:
    """Return the instant to which the calendar moves an instant; ``None``: it never runs."""
    opens = closed_until(known, instant)
    if opens is None:
        return instant
    (rule,) = story.timing.calendars
    waits = rule.action is CalendarAction.DEFER and opens < instant + story.period
    return opens if waits else None


def frozen_spans(known: Restrictions) -> list[Frozen]:
    """Freezes that overlap or touch are one; the one that ends last says how it thaws."""
    spans: list[Frozen] = []
    for freeze in sorted(known.freezes, key=lambda each: each.starts_at):
        start, end, thaw = freeze.starts_at, freeze.ends_at, freeze.thaw
        if freeze.lifted_at is not None:
            end = min(end, freeze.lifted_at)
        if end <= start:
            continue
        if not spans or start > spans[-1][1]:
            spans.append((start, end, thaw))
            continue
        before, before_end, before_thaw = spans[-1]
        if end == before_end:
            thaw = min(thaw, before_thaw, key=_STRICTEST.index)
        elif end < before_end:
            thaw = before_thaw
        spans[-1] = (before, max(end, before_end), thaw)
    return spans


def frozen_at(known: Restrictions, instant: datetime) -> Frozen | None:
    """The span that holds an instant."""
    return next((each for each in frozen_spans(known) if each[0] <= instant < each[1]), None)


def may_be_left_out(
    story: RestrictedStory, known: Restrictions, frozen: Frozen, instant: datetime
) -> bool:
    """Return whether the thaw of a span leaves out an instant that it held back."""
    _, end, thaw = frozen
    policy = {
        ThawPolicy.SKIP: CatchUpPolicy.SKIP,
        ThawPolicy.LATEST: CatchUpPolicy.LATEST,
        ThawPolicy.ALL: CatchUpPolicy.ALL,
        ThawPolicy.JOB: story.timing.catch_up.policy,
    }[thaw]
    if policy is CatchUpPolicy.LATEST:
        last = end - timedelta(milliseconds=1)
        later = [each for each in named(story, last) if each > instant]
        return any(runs_at(story, known, each) is not None for each in later)
    return policy is CatchUpPolicy.SKIP


def assert_gap_is_right(story: RestrictedStory, gap: Gap, instant: datetime) -> None:
    """By what was in force when it was recorded."""
    states = story.known_at(gap.recorded_at)
    policy = story.timing.catch_up.policy
    match gap.reason:
        case Reason.EXCLUDED:
            assert any(runs_at(story, known, instant) is None for known in states), gap
        case Reason.FROZEN:
            spans = [(known, frozen_at(known, instant)) for known in states]
            assert any(
                frozen is not None and may_be_left_out(story, known, frozen, instant)
                for known, frozen in spans
            ), gap
        case Reason.MISSED_WINDOW:
            assert policy is not CatchUpPolicy.ALL
            assert gap.recorded_at - instant > MINUTE
            assert any(frozen_at(known, instant) is None for known in states), gap
            assert any(runs_at(story, known, instant) is not None for known in states), gap
        case _:
            raise AssertionError(gap)


def assert_run_is_right(story: RestrictedStory, run: Attempt) -> None:
    """It began when nothing kept it from that; or it says what did."""
    instant, ended_at = run.id.run.scheduled_at, run.ended_at
    assert ended_at is not None
    states = story.known_at(ended_at)
    if run.state is RunState.SUCCEEDED:
        started_at = run.started_at
        assert started_at is not None
        assert started_at >= instant
        if run.fence == 1:
            assert any(_may_begin(story, known, run, started_at) for known in states), run
    elif run.reason is Reason.EXCLUDED:
        assert any(runs_at(story, known, instant) is None for known in states), run
    else:
        assert run.reason is Reason.FROZEN
        assert any(runs_at(story, known, instant) is not None for known in states), run
        since = run.frozen_since or max(ended_at, run.due_at)
        spans = [(known, frozen_at(known, since)) for known in states]
        assert any(
            frozen is not None and may_be_left_out(story, known, frozen, instant)
            for known, frozen in spans
        ), run


def _may_begin(
    story: RestrictedStory, known: Restrictions, run: Attempt, started_at: datetime
) -> bool:
    at = runs_at(story, known, run.id.run.scheduled_at)
    return at is not None and at <= started_at and frozen_at(known, started_at) is None


def records(
    story: RestrictedStory, last: datetime
) -> Iterator[tuple[datetime, list[Attempt | Gap]]]:
    """Each instant with all records of it."""
    runs = {run.id.run.scheduled_at: run for run in story.world.attempts()}
    gaps = sound_gaps(story.world.jobs.gaps(TENANT, JOB_ID, since=NOW, limit=10_000))
    for instant in named(story, last):
        found: list[Attempt | Gap] = [gap for gap in gaps if gap.first <= instant <= gap.last]
        yield instant, found + ([runs[instant]] if instant in runs else [])


def assert_ended_rightly(story: RestrictedStory, last: datetime) -> None:
    """Every instant has one record, which has ended, for the right reason."""
    for instant, found in records(story, last):
        (record,) = found
        if isinstance(record, Gap):
            assert_gap_is_right(story, record, instant)
        else:
            assert record.state in TERMINAL, record
            assert_run_is_right(story, record)
