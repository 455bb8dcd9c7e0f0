"""Schedules: the instants they name, in every time zone, bound and policy.

The rules are written down, with examples, in ``docs/concepts/schedules.md``.
"""

from timegate.domain.recurrence.clock_notes import ClockChange, next_clock_changes
from timegate.domain.recurrence.counting import Span, span_between
from timegate.domain.recurrence.fires import fires_between, next_fire, nominates, preview
from timegate.domain.recurrence.minute_counts import minute_counts, minute_of
from timegate.domain.recurrence.notation.canonical import MAX_LINES_CHARACTERS
from timegate.domain.recurrence.notation.written_schedule import as_written
from timegate.domain.recurrence.spread import jitter
from timegate.domain.recurrence.union.fields import NOT_A_MEMBER
from timegate.domain.recurrence.validation import MAX_JITTER_SECONDS, validate_schedule
from timegate.domain.recurrence.words import describe

__all__ = [
    "MAX_JITTER_SECONDS",
    "MAX_LINES_CHARACTERS",
    "NOT_A_MEMBER",
    "ClockChange",
    "Span",
    "as_written",
    "describe",
    "fires_between",
    "jitter",
    "minute_counts",
    "minute_of",
    "next_clock_changes",
    "next_fire",
    "nominates",
    "preview",
    "span_between",
    "validate_schedule",
]
