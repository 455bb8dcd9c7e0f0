"""Explanations: closed tables from records to sentences."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from timegate.domain.ledger.damaged_records import DamagedGap, DamagedRecord, DamagedRun
from timegate.domain.ledger.ledger import Gap
from timegate.domain.runs.finishing import FinishOutlook, outlook
from timegate.domain.runs.reserved_turns import own_turn
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.instants import rfc3339

#: Words for each reason; said of a run, and true of an instant of a gap.
REASONS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.SUPERSEDED: (
            "The job's schedule does not name this: it was changed,"
            " or the job's creation was repeated."
        ),
        Reason.PAUSED: "The job was paused before this began.",
        Reason.MISSED_WINDOW: (
            "It passed while nothing was planned, and the job's catch-up policy leaves it out."
        ),
        Reason.MAX_RUNS: "Earlier runs held all that the job's max_runs allow.",
        Reason.LATE: "It could not start within the time that the job allows.",
        Reason.EXPIRED: "It could not start within the time that its trigger allows.",
        Reason.OVERLAP: "Other runs held all slots when it was due, and the job forbids overlap.",
        Reason.EXCLUDED: "A calendar of the job leaves this out.",
        Reason.ROLLED: (
            "Its day is no business day, and another instant runs at the moment it rolled to."
        ),
        Reason.NO_BUSINESS_DAY: (
            "Its day is no business day, and neither is any day to which it could roll."
        ),
        Reason.FROZEN: "It was due during a freeze, and the freeze's thaw policy leaves it out.",
        Reason.CONDITION: "The job's condition did not let it begin.",
        Reason.QUOTA: "The tenant's quota of runs per day was used up.",
        Reason.COLLAPSED: "Its trigger collapsed with others, and another run stands for them.",
        Reason.CHAIN_TOO_LONG: "Too many runs triggered one another until this one.",
        Reason.JOB_CANCELLED: "The job was cancelled before this began.",
        Reason.CANCEL_REQUESTED: "A caller cancelled this run.",
        Reason.REPLACED: "A later run replaced it, as the overlap policy of that one says.",
        Reason.PERMANENT: "It failed in a way that trying again does not cure.",
        Reason.RETRIED: "The last attempt failed, and another one follows.",
        Reason.DURATION_EXCEEDED: "It went on, slice after slice, for longer than its job allows.",
        Reason.SLICES_EXHAUSTED: "It went on for more slices than its job allows.",
        Reason.RETRIES_EXHAUSTED: "Every attempt that the job allows has failed.",
        Reason.BREAKER_OPENED: "It broke its target again and again within a short time.",
        Reason.RETRY_WINDOW_CLOSED: "It failed, and the next attempt would have come too late.",
        Reason.KILLS_WORKERS: "Workers died of it again and again, so it is tried no more.",
        Reason.PAYLOAD_LOST: "Its stored payload, or its checkpoint, is lost or has expired.",
        Reason.AT_MOST_ONCE: "It failed, and the job allows one execution only.",
        Reason.WORKER_DIED: "Its worker died, and the job allows one execution only.",
        Reason.POISON_MESSAGE: "Its message was delivered again and again without success.",
        Reason.REGION_LOST: (
            "Another region was promoted, and the one before may have begun this already."
        ),
    }
)
#: Words for a run without a reason.
STATES: Mapping[RunState, str] = MappingProxyType(
    {
        RunState.WAITING: (
            "It is planned, and is queued ten minutes before it is due; if that has passed, its"
            " message was lost, and it is queued again within minutes."
        ),
        RunState.QUEUED: "It is queued, and starts when it is due and a worker is free.",
        RunState.RUNNING: "It is running.",
        RunState.SUCCEEDED: "It ran and succeeded.",
        RunState.FAILED: "It ran and failed.",
        RunState.TIMED_OUT: "It ran longer than the job allows.",
        RunState.CANCELLED: "It was cancelled.",
        RunState.SKIPPED: "It was not executed.",
        RunState.DEAD_LETTERED: "It failed for good, and is kept with its context.",
    }
)
#: Words for a run that waits, and not for its time or a slot.
FROZEN_RUN = "It was due during a freeze, and waits for that to end."
#: In its queue already, as the freeze is to end within minutes.
THAWING_RUN = "It was due during a freeze, and is due again when that is to end, at"
#: Nor for those.
PACED_RUN = "It was due, and waits for its turn under a rate limit"
#: Words for a run whose condition was asked.
REFUSED_RUN = "Its job's condition said not now, and is asked again when this is due."
CLEARED_RUN = "Its job's condition lets it begin, and it waits for a worker."
#: Their records may have the cause: a pause of the job, or of the run's pool.
_TOLD_WITH_CAUSE = frozenset({Reason.PAUSED, Reason.EXPIRED, Reason.LATE})
#: Their explanations say nothing of the end by themselves.
_NOT_ALONE = frozenset({Reason.REPLACED, Reason.EXPIRED, Reason.LATE})
_NOT_BEGUN = frozenset({RunState.WAITING, RunState.QUEUED})
#: A run that a worker had begun was not simply left out.
_BEGUN = MappingProxyType(
    {
        Reason.PAUSED: "Its worker died, and the job was paused before another one took over.",
        Reason.SUPERSEDED: (
            "Its worker died, and the schedule was changed before another one took over."
        ),
        Reason.OVERLAP: (
            "Its worker died, and other runs held all its slots before another one took over."
        ),
        Reason.EXCLUDED: (
            "Its worker died, and a calendar was changed before another one took over."
        ),
        Reason.FROZEN: "Its worker died, and a freeze began before another one took over.",
        Reason.JOB_CANCELLED: (
            "Its worker died, and the job was cancelled before another one took over."
        ),
    }
)


_DAMAGED_RUN = "It became a run, whose record cannot be read until operators have repaired it."
_DAMAGED_GAP = (
    "A record says why this became no run, and cannot be read until operators have repaired it."
)


class Ground(StrEnum):
    """Grounds that decide about an instant without a record."""

    BEFORE_CREATION = "before_creation"
    BEFORE_SCHEDULE = "before_schedule"
    NOT_NAMED = "not_named"
    SCHEDULE_ENDED = "schedule_ended"
    MAX_RUNS = "max_runs"
    CANCELLED = "cancelled"
    PAUSED_SINCE = "paused_since"
    PAUSED_NOW = "paused_now"
    FROZEN_SINCE = "frozen_since"
    FROZEN_THEN = "frozen_then"
    EXCLUDED_THEN = "excluded_then"
    ROLLED_THEN = "rolled_then"
    JOINED_THEN = "joined_then"
    DEFERRED_THEN = "deferred_then"
    TO_COME = "to_come"
    CATCHING_UP = "catching_up"
    BEHIND = "behind"
    UNRECORDED = "unrecorded"


GROUNDS: Mapping[Ground, str] = MappingProxyType(
    {
        Ground.BEFORE_CREATION: "The job did not exist yet.",
        Ground.BEFORE_SCHEDULE: (
            "The job had another schedule then, and that one left no record of this instant."
        ),
        Ground.NOT_NAMED: "The schedule does not name this instant.",
        Ground.SCHEDULE_ENDED: "The schedule had ended: it names no instant from then on.",
        Ground.MAX_RUNS: (
            "The schedule names this instant, but earlier runs hold or have used up its max_runs."
        ),
        Ground.CANCELLED: "The job was cancelled before this instant.",
        Ground.PAUSED_SINCE: (
            "The job is paused: what becomes of this instant is recorded when it is resumed."
        ),
        Ground.PAUSED_NOW: "The job is paused: this runs only if it is resumed by then.",
        Ground.FROZEN_SINCE: (
            "The job is frozen: what becomes of this instant is decided when the freeze ends."
        ),
        Ground.FROZEN_THEN: (
            "A freeze is to last then: unless it is lifted before, its thaw policy decides."
        ),
        Ground.EXCLUDED_THEN: (
            "The schedule names this instant, and the job's calendars, as they are, leave it out."
        ),
        Ground.ROLLED_THEN: (
            "The schedule names this instant, and it runs on a business day of the job's calendar."
        ),
        Ground.JOINED_THEN: (
            "The schedule names this instant, and another instant runs at the moment it rolls to."
        ),
        Ground.DEFERRED_THEN: (
            "The schedule names this instant, and the job's calendars, as they are, put it off."
        ),
        Ground.TO_COME: "The schedule names this instant, and it is planned when it is near.",
        Ground.CATCHING_UP: "It was missed, and is about to run late as the catch-up policy says.",
        Ground.BEHIND: "It is due and not planned yet: planning is behind.",
        Ground.UNRECORDED: (
            "The schedule names this instant, and no record of it is left: it was missed, or its "
            "record has reached the end of its retention."
        ),
    }
)


def explain_run(last: Attempt) -> str:
    """Explain a run by its last attempt."""
    turn = own_turn(last)
    if turn is not None:
        return f"{PACED_RUN}, at {rfc3339(turn.turn_at)}."
    return _outcome(last) + _stands_for(last) + _held_up(last) + _moved(last) + _deadline(last)


def _stands_for(last: Attempt) -> str:
    """State which run stands for this one, or how many triggers this one stands for."""
    collapse = last.collapse
    if collapse is None:
        return ""
    if collapse.into is not None:
        return f" That run is {collapse.into}."
    return f" It stands for {collapse.triggers} triggers." if collapse.triggers > 1 else ""


def _moved(last: Attempt) -> str:
    """State that a caller moved a run; an empty text otherwise."""
    if last.rescheduled_from is None:
        return ""
    return f" A caller moved it: it was due at {rfc3339(last.rescheduled_from)}."


def _deadline(last: Attempt) -> str:
    """State the run's deadline; an empty text if nothing is wrong with it."""
    finish = last.finish
    if finish is None:
        return ""
    by = rfc3339(finish.by)
    match outlook(last, finish):
        case FinishOutlook.MISSED if last.ends_run:
            return f" It ended after its deadline, {by}."
        case FinishOutlook.MISSED:
            return f" It had not ended by its deadline, {by}."
        case FinishOutlook.WILL_BE_LATE if finish.expected_at is not None:
            expected = rfc3339(finish.expected_at)
            return f" It is expected to end at {expected}, after its deadline, {by}."
        case _:
            return ""


def _held_up(last: Attempt) -> str:
    """Explain a late start that a pause of its pool, or a rate limit, caused."""
    pace, pickup = last.pace, last.pickup
    if pickup is not None and pickup.paused_until is not None:
        until = rfc3339(pickup.paused_until)
        return f" It was due at {rfc3339(last.due_at)}, and its pool was paused until {until}."
    if pace is None:
        return ""
    since, turn_at = rfc3339(pace.since), rfc3339(pace.turn_at)
    return f" It was to begin at {since}, and the rate limit of {pace.key} let it at {turn_at}."


def _outcome(last: Attempt) -> str:
    reason = last.reason
    if reason is None and last.state is RunState.WAITING and last.frozen_since is not None:
        return FROZEN_RUN
    if reason is None and _stands_in_line(last) and last.queueing is not None:
        return last.queueing.explanation
    if reason is None and last.checks is not None and last.state in _NOT_BEGUN:
        return CLEARED_RUN if last.checks.cleared else f"{REFUSED_RUN} ({last.checks.said})"
    if reason is None and last.state is RunState.QUEUED and last.frozen_since is not None:
        return f"{THAWING_RUN} {rfc3339(last.due_at)}."
    if reason is None:
        return STATES[last.state]
    return _explain_reason(last, reason)


def _explain_reason(last: Attempt, reason: Reason) -> str:
    if reason is Reason.REPLACED and last.replaced_by is not None:
        return f"{REASONS[reason]} That run is {last.replaced_by}."
    if last.state is RunState.CANCELLED and last.leases > 0 and reason in _BEGUN:
        return _BEGUN[reason]
    if reason in _TOLD_WITH_CAUSE and last.explanation is not None:
        return f"{REASONS[reason]} {last.explanation}"
    return REASONS[reason]


def _stands_in_line(last: Attempt) -> bool:
    """It waits for a slot, and has not been claimed since."""
    queueing = last.queueing
    return queueing is not None and last.state is RunState.WAITING and queueing.fence == last.fence


def explain_attempt(attempt: Attempt) -> str:
    """Explain an attempt by the decision at its end; otherwise as ``explain_run`` does."""
    if attempt.explanation is not None and attempt.reason not in _NOT_ALONE:
        return attempt.explanation
    return explain_run(attempt)


def explain_damage(damaged: DamagedRecord) -> str:
    """State that a record cannot be read; operators learn the fault."""
    match damaged:
        case DamagedRun():
            return _DAMAGED_RUN
        case DamagedGap():
            return _DAMAGED_GAP


def explain_gap(gap: Gap) -> str:
    """Explain instants that became no runs."""
    return REASONS[gap.reason]
