"""The end that ``max_runs`` gives to a job, and where places that are given back move it."""

from collections.abc import Collection, Iterable
from datetime import datetime

from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class MovableEnd:
    """The run that takes the last place, while the schedule names later instants."""

    max_runs: int
    #: The instant of that run.
    last: datetime
    #: Instants before it that do not run: they take no place.
    left_out: int
    #: The instant that would be the last if they ran; ``None`` where each of them runs.
    moved_from: datetime | None
    #: The next instant that runs once a place is given back; ``None``: none is near.
    moves_to: datetime | None

    @property
    def description(self) -> str:
        """The end in words."""
        ends = f"Ends with the run of {rfc3339(self.last)}: max_runs is {self.max_runs}."
        moves = "the next instant that runs" if self.moves_to is None else rfc3339(self.moves_to)
        moved = () if self.moved_from is None else (_moved(self.left_out, self.moved_from),)
        given_back = "A run that ends before it begins gives its place back:"
        return " ".join([ends, *moved, f"{given_back} the end then moves to {moves}."])

    def fields(self) -> dict[str, object]:
        """The end as answers name it."""
        return {
            "max_runs": self.max_runs,
            "last": rfc3339(self.last),
            "left_out": self.left_out,
            "moved_from": None if self.moved_from is None else rfc3339(self.moved_from),
            "moves_to": None if self.moves_to is None else rfc3339(self.moves_to),
            "description": self.description,
        }


def movable_end(
    max_runs: int,
    *,
    named: Iterable[datetime],
    running: Collection[datetime],
    moves_to: datetime | None,
) -> MovableEnd:
    """The end of a job whose places the instants ``running`` use up.

    ``named``: the instants of the schedule, in order, from the first that could run to the last
    that runs or later.
    """
    last = max(running)
    shown = [each for each in named if each <= last]
    left_out = sum(each not in running for each in shown)
    taken = len(shown) - left_out
    return MovableEnd(
        max_runs=max_runs,
        last=last,
        left_out=left_out,
        moved_from=shown[taken - 1] if left_out and taken else None,
        moves_to=moves_to,
    )


def _moved(left_out: int, moved_from: datetime) -> str:
    one = left_out == 1
    instants = "1 instant before it does" if one else f"{left_out} instants before it do"
    takes = "takes" if one else "take"
    return f"{instants} not run and {takes} no place, which moved it from {rfc3339(moved_from)}."
