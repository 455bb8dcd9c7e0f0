"""The days of a rule's instants, as bits."""

from timegate.domain.recurrence.cron.wall_clock import DAY_SECONDS
from timegate.domain.recurrence.rrule.named import exceptions_of, until_of
from timegate.domain.recurrence.union.wall_days import WallDays
from timegate.domain.recurrence.wall_times.bits import as_bits, cut


class RruleDays(WallDays):
    """A rule up to UNTIL, with the dates that are added and without those left out."""

    def on_day(self, day: int) -> int:
        """Correct the days of its pattern."""
        bits, begin = super().on_day(day), day * DAY_SECONDS
        until = until_of(self._schedule)
        if until is not None:
            bits = cut(bits, 0, min(max(until + 1 - begin, 0), DAY_SECONDS))
        if self._schedule.rdates or self._schedule.exdates:
            found = exceptions_of(self._schedule)
            bits |= as_bits(found.added, begin)
            bits &= ~as_bits(found.left_out, begin)
        return bits
