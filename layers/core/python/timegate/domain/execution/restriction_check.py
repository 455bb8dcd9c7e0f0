"""Restraint: whether calendars and freezes let a run begin that is due."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.catch_up import CatchUpPolicy
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.restrictions.frozen_spans import FrozenSpan, frozen_at
from timegate.domain.restrictions.restrictions import Restrictions, of_runs
from timegate.domain.runs.gate import PUBLISH_AHEAD
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import first_watch, looked_at_for_finish
from timegate.domain.values.identity import Origin
from timegate.value_classes import dataclass

#: A run that waits for a freeze to end is looked at so often: the freeze may be lifted.
LOOK_AT_FROZEN = timedelta(minutes=10)


@dataclass(frozen=True, kw_only=True, slots=True)
class PutOff:
    """It may execute later, and is judged again then."""

    due_at: datetime
    reason: Reason
    #: It waits for the end of a freeze, since then.
    frozen_since: datetime | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class NeverBegins:
    """It is not to begin at all."""

    reason: Reason
    explanation: str | None = None


def has_begun(attempt: Attempt) -> bool:
    """A worker has held it, or an earlier attempt at the same run, or a caller opened it again.

    One that a pause skipped and its resumption reopened has not begun.
    """
    return attempt.fence > 0 or (attempt.id.number > 1 and attempt.opened_at is not None)


def judge_restrictions(
    timing: Timing, attempt: Attempt, restrictions: Restrictions, *, now: datetime
) -> PutOff | NeverBegins | None:
    """Return the restriction that keeps a due run from beginning; ``None``: there is none.

    Freezes stop whatever would begin: triggers, retries, what an operation asked for. Calendars
    are about instants of the schedule that have not begun.
    """
    restrictions = of_runs(restrictions)
    frozen = _judge_freezes(timing, attempt, restrictions, max(now, attempt.due_at))
    if isinstance(frozen, PutOff) or not _is_instant(attempt):
        return frozen
    excluded = _judge_calendars(timing, attempt, restrictions, max(now, attempt.due_at))
    # An instant that calendars leave out would not have run without any freeze: that is why it does
    # not.
    return excluded if frozen is None or isinstance(excluded, NeverBegins) else frozen


def put_off(attempt: Attempt, wanted: PutOff, *, now: datetime) -> Attempt:
    """The attempt as it waits for another moment; for a freeze to end, looked at meanwhile.

    Where a calendar moved it, it is late from its new moment on; else from its own.
    """
    if wanted.reason is Reason.EXCLUDED:
        attempt = replace(attempt, lateness=None)
    later = replace(moved(attempt, wanted.due_at, now=now), frozen_since=wanted.frozen_since)
    watch_at = later.watch_at
    if later.state is RunState.QUEUED or wanted.frozen_since is None or watch_at is None:
        return later
    return replace(later, watch_at=min(watch_at, now + LOOK_AT_FROZEN))


def moved(attempt: Attempt, due_at: datetime, *, now: datetime) -> Attempt:
    """The attempt, due at another moment: in its queue, or to be queued when that is near.

    It waits for no freeze by this: a sweeper would take it for thawed, and let it be due at once.
    """
    near = due_at - now <= PUBLISH_AHEAD
    state = RunState.QUEUED if near else RunState.WAITING
    watch_at = first_watch(state, due_at, now=now)
    later = replace(attempt, state=state, due_at=due_at, watch_at=watch_at, lease=None)
    later = replace(later, direct=False, queueing=None, frozen_since=None)
    return looked_at_for_finish(later, now=now)


def still_frozen(
    timing: Timing | None, attempt: Attempt, restrictions: Restrictions, *, now: datetime
) -> PutOff | None:
    """Return the next due instant of an attempt that waits for a freeze; ``None`` for any other.

    At once, if the freeze was lifted or its job is gone: the worker that claims it judges.
    """
    since = attempt.frozen_since
    if attempt.state is not RunState.WAITING or since is None:
        return None
    restrictions = of_runs(restrictions)
    frozen = frozen_at(timing, now, restrictions) if timing is not None else None
    due_at = frozen.end if frozen is not None else now
    return PutOff(due_at=due_at, reason=Reason.FROZEN, frozen_since=since)


def rests_until(
    timing: Timing | None, attempt: Attempt, restrictions: Restrictions, *, now: datetime
) -> datetime | None:
    """Return the next look at a run whose lease expired in a freeze; ``None``: it does not rest.

    No worker takes it over while it is frozen. Its last holder may say how it ended until one does.
    A run that would be ended, and not begun again, does not rest.
    """
    lease = attempt.lease
    if timing is None or lease is None or lease.expires_at > now or not may_rest(timing, attempt):
        return None
    frozen = frozen_at(timing, now, of_runs(restrictions))
    return rest_look(frozen.end, now=now) if frozen is not None else None


def rest_look(thaws_at: datetime, *, now: datetime) -> datetime:
    """The next look at a run that rests in a freeze until ``thaws_at``."""
    return min(thaws_at, now + LOOK_AT_FROZEN)


def may_rest(timing: Timing, attempt: Attempt) -> bool:
    """It is held by a lease, and the worker that takes it over begins it again."""
    begins_again = attempt.delivery is not DeliveryMode.AT_MOST_ONCE
    wanted = timing.status is not JobStatus.CANCELLED and not attempt.cancel_requested
    told = attempt.id.run.origin is Origin.NOTIFICATION
    held = attempt.state is RunState.RUNNING
    return held and begins_again and wanted and not told


def _judge_freezes(
    timing: Timing, attempt: Attempt, restrictions: Restrictions, moment: datetime
) -> PutOff | NeverBegins | None:
    since = attempt.frozen_since
    if since is not None and not attempt.is_under_way:
        thawed = frozen_at(timing, since, restrictions)
        over = thawed is not None and thawed.end <= moment
        if thawed is not None and over and not _thaws(timing, attempt, thawed, restrictions):
            return NeverBegins(reason=Reason.FROZEN)
    frozen = frozen_at(timing, moment, restrictions)
    if frozen is None:
        return None
    if _never_thaws(timing, attempt, frozen):
        return NeverBegins(reason=Reason.FROZEN)
    return PutOff(due_at=frozen.end, reason=Reason.FROZEN, frozen_since=moment)


def _thaws(
    timing: Timing, attempt: Attempt, thawed: FrozenSpan, restrictions: Restrictions
) -> bool:
    """Tell if a run begins after the freeze; the thaw policy decides about instants alone."""
    if not _is_instant(attempt):
        return not _never_thaws(timing, attempt, thawed)
    # Few runs wait for a freeze to end.
    from timegate.domain.planning.catch_up import runs_after_thaw  # noqa: PLC0415

    return runs_after_thaw(timing, attempt.id.run.scheduled_at, thawed, restrictions)


def _never_thaws(timing: Timing, attempt: Attempt, frozen: FrozenSpan) -> bool:
    """Tell if the run will never begin, so that it need not wait.

    One that a worker has held began before the freeze: its target may have been called. A task is
    a part of a DAG run that has begun, which would succeed without it.
    """
    if attempt.is_under_way or attempt.leases > 0 or attempt.is_task:
        return False
    if frozen.thaw is ThawPolicy.SKIP:
        return True
    own = frozen.thaw is ThawPolicy.JOB and _is_instant(attempt)
    return own and timing.catch_up.policy is CatchUpPolicy.SKIP


def _judge_calendars(
    timing: Timing, attempt: Attempt, restrictions: Restrictions, moment: datetime
) -> PutOff | NeverBegins | None:
    if not timing.calendars:
        return None
    # Few jobs follow a calendar.
    from timegate.domain.restrictions.calendar_filter import judge_instant  # noqa: PLC0415
    from timegate.domain.restrictions.judged import explain_roll  # noqa: PLC0415

    instant = attempt.id.run.scheduled_at
    following = next_instant(timing, instant)
    judged = judge_instant(timing, instant, following, restrictions)
    if judged.at is None:
        return NeverBegins(reason=judged.reason, explanation=explain_roll(judged, instant))
    return PutOff(due_at=judged.at, reason=Reason.EXCLUDED) if judged.at > moment else None


def _is_instant(attempt: Attempt) -> bool:
    """A run that the schedule asked for, and that has not begun."""
    named = attempt.id.run.origin is Origin.SCHEDULE and attempt.operation is None
    return named and not has_begun(attempt)
