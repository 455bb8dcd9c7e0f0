"""Prospects: what would become of the next instants of a schedule under calendars."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from timegate.domain.admittance import judge_instant
from timegate.domain.job import Timing
from timegate.domain.judged import Judged
from timegate.domain.recurrence import fires_between
from timegate.domain.restrictions import Restrictions

_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Outlook(StrEnum):
    """What calendars make of an instant."""

    RUNS = "runs"
    #: It runs later, at the first moment that is left in.
    DEFERRED = "deferred"
    #: It runs on a business day, by itself.
    ROLLED = "rolled"
    #: It rolls to a business day, where the run of another instant stands for it.
    JOINED = "joined"
    EXCLUDED = "excluded"


@dataclass(frozen=True, kw_only=True, slots=True)
class Prospect:
    """An instant that a schedule names, and when it would run, before any jitter."""

    at: datetime
    judged: Judged

    @property
    def runs_at(self) -> datetime | None:
        """When it would run, or another one for it; ``None``: it would not."""
        if self.judged.rolled_to is not None:
            return self.judged.rolled_to.of(self.at)
        return self.judged.at

    @property
    def outlook(self) -> Outlook:
        """The same in a word."""
        if self.judged.rolled_to is not None:
            return Outlook.JOINED if self.judged.at is None else Outlook.ROLLED
        if self.judged.at is None:
            return Outlook.EXCLUDED
        return Outlook.RUNS if self.judged.at == self.at else Outlook.DEFERRED


def prospects(timing: Timing, *, after: datetime, restrictions: Restrictions) -> Iterator[Prospect]:
    """The instants later than ``after``, until the schedule ends.

    What is left out is none of its ``max_runs``, as when it is planned. Runs that are skipped later
    give their places back, which moves the end.
    """
    limit = timing.schedule.max_runs
    fires = fires_between(
        timing.schedule, created_at=timing.anchored_at, after=after, until=_FOR_EVER
    )
    at, runs = next(fires, None), timing.runs_begun
    while at is not None and (limit is None or runs < limit):
        following = next(fires, None)
        judged = judge_instant(timing, at, following, restrictions)
        yield Prospect(at=at, judged=judged)
        runs += judged.at is not None
        at = following
