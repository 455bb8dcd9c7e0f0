"""What a schedule means: which instants it names, in every time zone, bound and policy.

The rules are written down, with examples, in ``docs/schedules.md``.
"""

from timegate.domain.recurrence.fires import fires_between, next_fire, nominates, preview
from timegate.domain.recurrence.spread import jitter
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe

__all__ = [
    "describe",
    "fires_between",
    "jitter",
    "next_fire",
    "nominates",
    "preview",
    "validate_schedule",
]
