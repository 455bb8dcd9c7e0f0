"""Rounds of the meter: each reads all runs on record, and counts those that ended since the last.

A round costs what it reads, so large tables are read seldom.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from timegate.domain.values.instants import compact
from timegate.value_classes import dataclass

#: An end that is as old is on record.
SETTLED_AFTER = timedelta(minutes=5)
#: The next round waits for so long for each page that the last one read.
_FOR_EACH_PAGE = timedelta(minutes=5)
#: Tallies are written once a round, so frequent jobs share a write.
_SHORTEST = timedelta(hours=1)
#: Runs are kept for longer than this, so each is met.
LONGEST = timedelta(days=3)
_EVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class MeterRound:
    """The meter's own record; ``None`` as its ``until``: no round is under way."""

    #: All ends up to here are counted.
    since: datetime = _EVER
    #: The round under way counts ends up to here.
    until: datetime | None = None
    #: Where its next page begins; ``None`` at its beginning.
    position: str | None = None
    #: Pages that it has read so far; without a round, those of the last one.
    pages: int = 0

    @property
    def name(self) -> str:
        """Return the name of the round under way: later rounds have later ones."""
        return compact(self.until or self.since)

    def is_due(self, now: datetime) -> bool:
        """Tell if a round is to begin."""
        wait = min(max(self.pages * _FOR_EACH_PAGE, _SHORTEST), LONGEST)
        return self.until is None and self.since <= now - SETTLED_AFTER - wait

    def begun(self, now: datetime) -> "MeterRound":
        """Return the record as a round begins."""
        return replace(self, until=now - SETTLED_AFTER, position=None, pages=0)

    def behind(self, position: str | None) -> "MeterRound":
        """Return the record behind a page, ``None`` being the last."""
        read = replace(self, position=position, pages=self.pages + 1)
        if position is not None or self.until is None:
            return read
        return replace(read, since=self.until, until=None)
