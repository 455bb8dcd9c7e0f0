"""Lateness and recovery of a chaos course by delivery mode, as rows of a table in the docs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from tests.support.chaos_course import MODES
from tests.support.chaos_judge import Story, percentile

HEADER = (
    "| faults | delivery | runs | late p50 / p99 / max | workers lost with a call open "
    "| recovered p50 / max |\n|---|---|---|---|---|---|"
)


@dataclass(frozen=True, kw_only=True)
class Struck:
    """A job whose worker was killed while its target worked, and the instant of the kill."""

    job: str
    at: datetime


def rows(course: str, stories: Sequence[Story], struck: Iterable[Struck]) -> list[str]:
    """Make one row per delivery mode; seconds."""
    deaths = list(struck)
    return [_row(course, mode, stories, deaths) for mode in MODES]


def _row(course: str, mode: str, stories: Sequence[Story], struck: Sequence[Struck]) -> str:
    own = {story.subject.name: story for story in stories if story.subject.mode == mode}
    late = sorted(story.late for story in own.values() if story.late is not None)
    deaths = [death for death in struck if death.job in own]
    waits = sorted(
        wait for death in deaths if (wait := recovery(own[death.job], death)) is not None
    )
    return (
        f"| {course} | `{mode}` | {len(own)} | {_spread(late, 50, 99, 100)} "
        f"| {len(deaths)} | {_spread(waits, 50, 100)} |"
    )


def recovery(story: Story, death: Struck) -> float | None:
    """Measure the seconds from a worker's death to the next call, or to the run's end on record.

    ``None`` for a run that had ended on record before: its target had answered.
    """
    later = [call.arrived_at for call in story.calls if call.arrived_at > death.at]
    ends = [
        datetime.fromisoformat(attempt["ended_at"])
        for run in story.runs
        for attempt in run["attempts"]
        if attempt["ended_at"] is not None
    ]
    after = [instant for instant in (*later, *ends) if instant > death.at]
    return (min(after) - death.at).total_seconds() if after else None


def _spread(ordered: list[float], *percents: int) -> str:
    if not ordered:
        return "-"
    return " / ".join(f"{percentile(ordered, percent):g}" for percent in percents) + " s"
