"""What a schedule means: which instants it names, in every time zone, bound and policy.

The rules are written down, with examples, in ``docs/schedules.md``.
"""

from timegate.domain.recurrence.clock_notes import ClockChange, next_clock_changes
from timegate.domain.recurrence.counting import Span, span_between
from timegate.domain.recurrence.fires import fires_between, next_fire, nominates, preview
from timegate.domain.recurrence.spread import jitter
from timegate.domain.recurrence.validation import MAX_JITTER_SECONDS, validate_schedule
from timegate.domain.recurrence.words import describe

__all__ = [
    "MAX_JITTER_SECONDS",
    "ClockChange",
    "Span",
    "describe",
    "fires_between",
    "jitter",
    "next_clock_changes",
    "next_fire",
    "nominates",
    "preview",
    "span_between",
    "validate_schedule",
]
