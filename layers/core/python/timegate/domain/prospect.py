"""Prospects: what would become of the next instants of a schedule under calendars."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from timegate.domain.admittance import runs_at
from timegate.domain.job import Timing
from timegate.domain.recurrence import fires_between
from timegate.domain.restrictions import Restrictions

_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Outlook(StrEnum):
    """What calendars make of an instant."""

    RUNS = "runs"
    #: It runs later, at the first moment that is left in.
    DEFERRED = "deferred"
    EXCLUDED = "excluded"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prospect:
    """An instant that a schedule names, and when it would run, before any jitter."""

    at: datetime
    #: ``None``: it would not.
    runs_at: datetime | None

    @property
    def outlook(self) -> Outlook:
        """The same in a word."""
        if self.runs_at is None:
            return Outlook.EXCLUDED
        return Outlook.RUNS if self.runs_at == self.at else Outlook.DEFERRED


def prospects(timing: Timing, *, after: datetime, restrictions: Restrictions) -> Iterator[Prospect]:
    """The instants later than ``after``, until the schedule ends.

    What is left out is none of its ``max_runs``, as when it is planned.
    """
    limit = timing.schedule.max_runs
    fires = fires_between(
        timing.schedule, created_at=timing.anchored_at, after=after, until=_FOR_EVER
    )
    at, runs = next(fires, None), timing.runs_planned
    while at is not None and (limit is None or runs < limit):
        following = next(fires, None)
        moment = runs_at(timing, at, following, restrictions)
        yield Prospect(at=at, runs_at=moment)
        runs += moment is not None
        at = following
