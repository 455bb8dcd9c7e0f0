"""Prospects: what would become of the next instants of a schedule under calendars."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import islice

from timegate.domain.jobs.job import Timing
from timegate.domain.planning.movable_end import MovableEnd, movable_end
from timegate.domain.recurrence.fires import instants_between
from timegate.domain.restrictions.calendar_filter import judge_instant
from timegate.domain.restrictions.judged import JudgedInstant
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.value_classes import dataclass

#: So many instants after the last run are searched for one that calendars let run.
_MOST_SEARCHED = 1_000
_FOR_EVER = datetime.max.replace(tzinfo=UTC)


class Outlook(StrEnum):
    """Effects of calendars on an instant."""

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
    judged: JudgedInstant

    @property
    def runs_at(self) -> datetime | None:
        """Return the instant of its run, or of the run that replaces it; ``None``: there is
        none.
        """
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

    An instant that is left out does not count for ``max_runs``, as in planning. Runs that are
    skipped later give their places back, which moves the end: see ``end_of``.
    """
    limit = timing.schedule.max_runs
    fires = instants_between(timing, after=after, until=_FOR_EVER)
    at, runs = next(fires, None), timing.runs_begun
    while at is not None and (limit is None or runs < limit):
        following = next(fires, None)
        judged = judge_instant(timing, at, following, restrictions)
        yield Prospect(at=at, judged=judged)
        runs += judged.at is not None
        at = following


def end_of(
    timing: Timing, shown: Sequence[Prospect], restrictions: Restrictions
) -> MovableEnd | None:
    """The end that ``max_runs`` gives to a job without runs; ``shown``: its first instants.

    ``None`` where another bound ends the job, or the end is later than the instants shown.
    """
    limit = timing.schedule.max_runs
    running = {each.at for each in shown if each.judged.at is not None}
    if limit is None or len(running) < limit:
        return None
    unbounded = replace(timing, schedule=replace(timing.schedule, max_runs=None))
    later = prospects(unbounded, after=shown[-1].at, restrictions=restrictions)
    searched = list(_up_to_a_run(islice(later, _MOST_SEARCHED)))
    if not searched:
        return None
    last = searched[-1]
    return movable_end(
        limit,
        named=[each.at for each in shown],
        running=running,
        moves_to=None if last.judged.at is None else last.at,
    )


def _up_to_a_run(found: Iterator[Prospect]) -> Iterator[Prospect]:
    for each in found:
        yield each
        if each.judged.at is not None:
            return
