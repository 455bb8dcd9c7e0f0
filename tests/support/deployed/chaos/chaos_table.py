"""Lateness and recovery of a chaos course by delivery mode, as rows of a table in the docs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from tests.support.deployed.chaos.chaos_course import MODES
from tests.support.deployed.chaos.chaos_judge import Story, percentile

HEADER = (
    "| faults | delivery | runs | late p50 / p99 / max | workers lost with a call open "
    "| one death: recovered p50 / max | more deaths in the lane: recovered max, from the last "
    "|\n|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True, kw_only=True)
class Death:
    """The kill of a worker; its function is ``None`` if the process was gone already."""

    function: str | None
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Struck:
    """A job whose worker was killed while its target worked."""

    job: str
    death: Death


@dataclass(frozen=True, kw_only=True)
class Recovery:
    """The seconds that a run needed to come back, and how many kills of its lane they hold."""

    #: From the kill of its worker.
    seconds: float
    #: From the last kill of a worker of the same function, which may have held the run as well.
    since_last: float
    #: Kills of workers of the function, its own included.
    deaths: int


def rows(
    course: str, stories: Sequence[Story], struck: Iterable[Struck], deaths: Sequence[Death]
) -> list[str]:
    """Make one row per delivery mode; seconds."""
    all_struck = list(struck)
    return [_row(course, mode, stories, all_struck, deaths) for mode in MODES]


def _row(
    course: str,
    mode: str,
    stories: Sequence[Story],
    struck: Sequence[Struck],
    deaths: Sequence[Death],
) -> str:
    own = {story.subject.name: story for story in stories if story.subject.mode == mode}
    late = sorted(story.late for story in own.values() if story.late is not None)
    hit = [each for each in struck if each.job in own]
    found = [back for each in hit if (back := recovery(own[each.job], each, deaths)) is not None]
    alone = sorted(back.seconds for back in found if back.deaths == 1)
    again = [back for back in found if back.deaths > 1]
    return (
        f"| {course} | `{mode}` | {len(own)} | {_spread(late, 50, 99, 100)} | {len(hit)} "
        f"| {_counted(alone, _spread(alone, 50, 100))} | {_counted(again, _longest(again))} |"
    )


def recovery(story: Story, struck: Struck, deaths: Iterable[Death]) -> Recovery | None:
    """Measure from a worker's death to the next call, or to the run's end on record.

    ``None`` for a run that had ended on record before: its target had answered.
    """
    death = struck.death
    later = [call.arrived_at for call in story.calls if call.arrived_at > death.at]
    ends = [
        datetime.fromisoformat(attempt["ended_at"])
        for run in story.own
        for attempt in run["attempts"]
        if attempt["ended_at"] is not None
    ]
    after = [instant for instant in (*later, *ends) if instant > death.at]
    if not after:
        return None
    back = min(after)
    chain = [d.at for d in deaths if d.function == death.function and death.at < d.at < back]
    return Recovery(
        seconds=(back - death.at).total_seconds(),
        since_last=(back - max([death.at, *chain])).total_seconds(),
        deaths=1 + len(chain),
    )


def _counted(found: Sequence[object], words: str) -> str:
    return f"{len(found)}: {words}" if found else "-"


def _longest(again: Sequence[Recovery]) -> str:
    if not again:
        return "-"
    longest, last = max(b.seconds for b in again), max(b.since_last for b in again)
    return f"{longest:.4g} s, {last:.4g} s"


def _spread(ordered: list[float], *percents: int) -> str:
    if not ordered:
        return "-"
    return " / ".join(f"{percentile(ordered, percent):g}" for percent in percents) + " s"
