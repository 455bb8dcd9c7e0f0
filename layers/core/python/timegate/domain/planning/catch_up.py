"""Catching up: what becomes of instants that passed while nothing was planned, or frozen."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.gap_parts import without
from timegate.domain.ledger.ledger import Gap
from timegate.domain.planning.settled_gaps import gaps_of, set_back
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.restrictions.calendar_filter import InstantGroup, stretches
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.restrictions.frozen_spans import FrozenSpan, frozen_at, frozen_from
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: Gaps of one settlement: they are stored together, and a transaction takes a hundred writes.
MAX_GAPS = 90
_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class SettledCatchUp:
    """The job once what it missed is decided, and the gaps that are recorded with that."""

    timing: Timing
    gaps: tuple[Gap, ...]
    decided_at: datetime
    #: Why what does not run does not: missed, or frozen.
    reason: Reason = Reason.MISSED_WINDOW


@dataclass(frozen=True, kw_only=True, slots=True)
class _Past:
    """Instants to decide about: those from the job's next one to ``until``, both inclusive."""

    until: datetime
    reason: Reason
    policy: CatchUp
    #: An older instant does not run.
    oldest: datetime


def settle(
    timing: Timing,
    *,
    now: datetime,
    restrictions: Restrictions = UNRESTRICTED,
    look_ahead: timedelta = timedelta(0),
    recorded: Collection[datetime] = (),
) -> SettledCatchUp | None:
    """Decide about the instants that were missed by ``now``, or that a freeze holds back.

    ``None`` when there are none. A freeze is decided about as soon as its end is within the
    look-ahead, so that what it lets run is planned in time. Stored before any run of the instants
    to catch up, so that the planner that goes on with them does not decide again, by another
    ``now``. A job with no instant left is completed by it.

    ``recorded``: instants that have a run. They count as others do and are in no gap.
    """
    first, decided, lost = timing.next_run_at, timing.decided_until, restrictions.lost_until
    if first is not None and lost is not None and _is_lost(timing, lost):
        return _settled(timing, first, _lost(lost), restrictions, now, recorded=recorded)
    if first is None or (decided is not None and first <= decided):
        return None
    if (earlier := set_back(timing, first)) is not None:
        # The next settlement decides about it.
        return SettledCatchUp(timing=earlier, gaps=(), decided_at=now)
    frozen = frozen_at(timing, first, restrictions)
    if frozen is not None:
        past = _thawing(timing, frozen) if frozen.end <= now + look_ahead else None
    else:
        past = _missed(timing, first, now, restrictions)
    if past is None:
        return None
    return _settled(timing, first, past, restrictions, now, recorded=recorded)


def is_parked(
    timing: Timing, *, now: datetime, restrictions: Restrictions, look_ahead: timedelta
) -> bool:
    """Its next instant is frozen, and it is too early to say what becomes of it."""
    first, decided = timing.next_run_at, timing.decided_until
    if first is None or (decided is not None and first <= decided):
        return False
    if restrictions.lost_until is not None and _is_lost(timing, restrictions.lost_until):
        return False
    frozen = frozen_at(timing, first, restrictions)
    return frozen is not None and frozen.end > now + look_ahead


@dataclass(frozen=True, kw_only=True, slots=True)
class CaughtUp:
    """The missed instants that a job's catch-up policy lets run, and what it would let run still.

    All later than these run; of the ones before, at most ``left``, from ``oldest`` on.
    """

    #: ``None``: none of them runs.
    first: datetime | None
    left: int
    oldest: datetime
    #: The last instant that is missed.
    until: datetime


def caught_up(
    timing: Timing, *, now: datetime, restrictions: Restrictions = UNRESTRICTED
) -> CaughtUp:
    """Say which of the instants from the job's next one on ``settle`` lets run that were missed."""
    next_run_at, until = timing.next_run_at, _missed_until(timing, now)
    oldest = now - timedelta(seconds=timing.catch_up.window_seconds)
    first, left = None, _most(timing.catch_up)
    past = _missed(timing, next_run_at, now, restrictions) if next_run_at is not None else None
    if next_run_at is not None and past is not None:
        found = list(stretches(timing, next_run_at, past.until, restrictions))
        first, left = _last_to_run(timing, found, past, left)
    return CaughtUp(first=first, left=left, oldest=oldest, until=until)


def planned_until(
    timing: Timing, until: datetime, *, now: datetime, restrictions: Restrictions = UNRESTRICTED
) -> datetime:
    """Return the end of planning: runs are not planned past what has been decided while more was
    missed, nor into a freeze, which is decided about when it ends.
    """
    first, decided = timing.next_run_at, timing.decided_until
    if first is None:
        return until
    open_from = first
    if decided is not None and first <= decided:
        open_from = decided + MILLISECOND
        if decided < _missed_until(timing, now):
            return min(until, decided)
    frozen = frozen_from(timing, open_from, restrictions)
    if frozen is None:
        return until
    return min(until, max(frozen.start, open_from) - MILLISECOND)


def runs_after_thaw(
    timing: Timing, instant: datetime, frozen: FrozenSpan, restrictions: Restrictions
) -> bool:
    """Tell if an instant that a freeze held back runs once that has ended."""
    past = _thawing(timing, frozen)
    until = max(past.until, instant)
    found = list(stretches(timing, instant, until, restrictions))
    return _first_to_run(timing, found, past, _most(past.policy)) == instant


def _missed(
    timing: Timing, first: datetime, now: datetime, restrictions: Restrictions
) -> _Past | None:
    cutoff = _missed_until(timing, now)
    frozen = frozen_from(timing, first, restrictions)
    if frozen is not None:
        cutoff = min(cutoff, frozen.start - MILLISECOND)
    if first > cutoff:
        return None
    return _Past(
        until=cutoff,
        reason=Reason.MISSED_WINDOW,
        policy=timing.catch_up,
        oldest=now - timedelta(seconds=timing.catch_up.window_seconds),
    )


def _is_lost(timing: Timing, lost_until: datetime) -> bool:
    from timegate.domain.regions.doubt import names_lost_instants  # noqa: PLC0415 - few stages

    return names_lost_instants(timing, lost_until)


def _lost(until: datetime) -> _Past:
    """Instants that the region before may have begun: none of them runs here."""
    policy = CatchUp(policy=CatchUpPolicy.SKIP)
    last = until - MILLISECOND
    return _Past(until=last, reason=Reason.REGION_LOST, policy=policy, oldest=_EVER)


def _missed_until(timing: Timing, now: datetime) -> datetime:
    """The last instant that is missed at ``now``: it is older than the grace, by a millisecond."""
    return now - timing.catch_up.grace - MILLISECOND


def _thawing(timing: Timing, frozen: FrozenSpan) -> _Past:
    match frozen.thaw:
        case ThawPolicy.SKIP:
            policy = CatchUp(policy=CatchUpPolicy.SKIP)
        case ThawPolicy.LATEST:
            policy = CatchUp(policy=CatchUpPolicy.LATEST)
        case ThawPolicy.ALL:
            policy = CatchUp(policy=CatchUpPolicy.ALL)
        case ThawPolicy.JOB:
            policy = timing.catch_up
    own = frozen.thaw is ThawPolicy.JOB
    window = timedelta(seconds=policy.window_seconds)
    return _Past(
        until=frozen.end - MILLISECOND,
        reason=Reason.FROZEN,
        policy=policy,
        oldest=frozen.end - window if own else _EVER,
    )


def _settled(
    timing: Timing,
    first: datetime,
    past: _Past,
    restrictions: Restrictions,
    now: datetime,
    *,
    recorded: Collection[datetime],
) -> SettledCatchUp | None:
    found = list(stretches(timing, first, past.until, restrictions))
    if found and past.reason is Reason.MISSED_WINDOW:
        ahead = next((each for each in found if _is_ahead(each, past.until)), None)
        if ahead is not None:
            # Put off, or rolled, to a moment that has not passed: this one is not missed.
            past = replace(past, until=ahead.span.last - MILLISECOND)
            found = list(stretches(timing, first, past.until, restrictions))
            if not found:
                return None
    following = _first_to_run(timing, found, past, _most(past.policy))
    skipped_until = past.until if following is None else following - MILLISECOND
    left_out = gaps_of(timing, found, skipped_until, past.reason, now)
    decided, gaps = past.until, without(recorded, left_out, timing)
    if len(gaps) > MAX_GAPS:
        gaps = gaps[:MAX_GAPS]
        decided = gaps[-1].last
        following = next_instant(timing, decided)
    following = following or next_instant(timing, decided)
    status = JobStatus.COMPLETED if following is None else timing.status
    return SettledCatchUp(
        timing=replace(timing, status=status, next_run_at=following, decided_until=decided),
        gaps=tuple(gaps),
        decided_at=now,
        reason=past.reason,
    )


def _is_ahead(stretch: InstantGroup, until: datetime) -> bool:
    moment = stretch.last_runs_at
    return moment is not None and moment > until


def _first_to_run(
    timing: Timing, found: Sequence[InstantGroup], past: _Past, most: int
) -> datetime | None:
    """Return the first of the latest instants that the policy lets run; those before it are
    skipped.
    """
    return _last_to_run(timing, found, past, most)[0]


def _last_to_run(
    timing: Timing, found: Sequence[InstantGroup], past: _Past, most: int
) -> tuple[datetime | None, int]:
    """The same, and how many more it would let run."""
    begin: datetime | None = None
    for stretch in reversed(found):
        if most <= 0:
            break
        span = stretch.span
        if not stretch.admitted:
            if stretch.last_runs_at is not None and span.last >= past.oldest:
                begin, most = span.last, most - 1
            continue
        part = series_between(
            timing, first=max(span.first, past.oldest), until=span.last, at_most=most
        )
        if part is None:
            break
        begin, most = part.first, most - part.count
    return begin, most


def _most(policy: CatchUp) -> int:
    match policy.policy:
        case CatchUpPolicy.SKIP:
            return 0
        case CatchUpPolicy.LATEST:
            return 1
        case CatchUpPolicy.ALL:
            return policy.limit
