"""Rolls in the account of an instant: where it moved, and which instants move to it."""

from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import Record
from timegate.domain.recurrence.fires import names_instant
from timegate.domain.recurrence.zones.local_days import day_of
from timegate.domain.restrictions.calendar_filter import judge_instant
from timegate.domain.restrictions.judged import explain_roll, told_roll
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.restrictions.rolling import Rolling, arriving_at, rolling_of
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339

#: Instants that are named in one answer.
_NAMED = 5


def tell_of_rolls(
    timing: Timing, at: datetime, record: Record | None, restrictions: Restrictions
) -> list[str]:
    """Sentences about rolls from and to an instant; none for a job without them."""
    rolling = rolling_of(timing, restrictions)
    told = _departure(timing, at, record, rolling, restrictions)
    arrived = arriving_at(rolling, at) if rolling is not None else []
    if arrived:
        named = ", ".join(rfc3339(each) for each in arrived[:_NAMED])
        more = f" and {len(arrived) - _NAMED} more" if len(arrived) > _NAMED else ""
        told.append(f"Instants that roll here: {named}{more}.")
    return told


def _departure(
    timing: Timing,
    at: datetime,
    record: Record | None,
    rolling: Rolling | None,
    restrictions: Restrictions,
) -> list[str]:
    """By the record, if it says so; else by the calendar as it is."""
    if isinstance(record, Gap):
        return [told_roll(record.rolled_to, at)] if record.rolled_to is not None else []
    if rolling is None:
        return []
    if isinstance(record, Attempt):
        moved = day_of(rolling.timezone, record.due_at) != day_of(rolling.timezone, at)
        due_at = rfc3339(record.due_at)
        return [f"Its day is no business day: it rolled to {due_at}."] if moved else []
    if record is not None or not names_instant(timing, at):
        return []
    told = explain_roll(judge_instant(timing, at, None, restrictions), at)
    return [told] if told is not None else []
