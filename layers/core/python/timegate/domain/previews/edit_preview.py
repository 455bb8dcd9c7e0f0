"""An edit before it is made: the instants that a job gains, loses and moves by it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from timegate.domain.previews.forthcoming import Coming
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: So many instants of either side are compared: those of a minutely job in a week, and some more.
MOST_COMPARED = 11_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """An instant that runs at another time after the edit."""

    before: Coming
    after: Coming


@dataclass(frozen=True, kw_only=True, slots=True)
class EditPreview:
    """Changes that an edit makes, each in the order of its instants."""

    #: Instants up to here are compared: the end of the window, or where there are too many.
    compared_until: datetime
    #: How many of those run, before and after the edit.
    runs_before: int
    runs_after: int
    gained: tuple[Coming, ...]
    lost: tuple[Coming, ...]
    moved: tuple[Moved, ...]


def compare(
    before: Iterator[Coming],
    after: Iterator[Coming],
    *,
    until: datetime,
    timezone: str,
    most: int = MOST_COMPARED,
) -> EditPreview:
    """The difference between the instants of a job before and after an edit, both in order.

    An instant of both sides that starts at another moment has moved. So have the instants that one
    local day of ``timezone`` loses, where it gains as many: the first becomes the first, and so
    on. Stops before the instant at which a side would have more than ``most``.
    """
    walk = _Walk(before, after, most)
    walk.run()
    moved, lost, gained = _pair_by_day(walk.lost, walk.gained, ZoneInfo(timezone))
    every_move = sorted([*walk.moved, *moved], key=lambda each: each.before.instant)
    return EditPreview(
        compared_until=until if walk.stopped_at is None else walk.stopped_at - MILLISECOND,
        runs_before=walk.counts[0],
        runs_after=walk.counts[1],
        gained=tuple(gained),
        lost=tuple(lost),
        moved=tuple(every_move),
    )


class _Walk:
    """Both sides side by side, by instant."""

    def __init__(self, before: Iterator[Coming], after: Iterator[Coming], most: int) -> None:
        self._before, self._after, self._most = before, after, most
        self.counts = [0, 0]
        self.lost: list[Coming] = []
        self.gained: list[Coming] = []
        self.moved: list[Moved] = []
        #: The first instant that was not compared.
        self.stopped_at: datetime | None = None

    def run(self) -> None:
        """Compare until both end, or one has too many."""
        old, new = next(self._before, None), next(self._after, None)
        while old is not None or new is not None:
            at = min(each.instant for each in (old, new) if each is not None)
            is_old = old is not None and old.instant == at
            is_new = new is not None and new.instant == at
            if (is_old and self.counts[0] == self._most) or (
                is_new and self.counts[1] == self._most
            ):
                self.stopped_at = at
                return
            self.counts[0] += is_old
            self.counts[1] += is_new
            self._note(old if is_old else None, new if is_new else None)
            old = next(self._before, None) if is_old else old
            new = next(self._after, None) if is_new else new

    def _note(self, old: Coming | None, new: Coming | None) -> None:
        if old is None and new is not None:
            self.gained.append(new)
        elif new is None and old is not None:
            self.lost.append(old)
        elif old is not None and new is not None and old.runs_at != new.runs_at:
            self.moved.append(Moved(before=old, after=new))


def _pair_by_day(
    lost: Sequence[Coming], gained: Sequence[Coming], zone: ZoneInfo
) -> tuple[list[Moved], list[Coming], list[Coming]]:
    """Pair instants that moved within their day; return the pairs and the rest of both sides."""
    by_day: dict[date, tuple[list[Coming], list[Coming]]] = defaultdict(lambda: ([], []))
    for side, instants in enumerate((lost, gained)):
        for each in instants:
            by_day[each.instant.astimezone(zone).date()][side].append(each)
    moved: list[Moved] = []
    left: tuple[list[Coming], list[Coming]] = ([], [])
    for day in sorted(by_day):
        old, new = by_day[day]
        if len(old) == len(new):
            pairs = zip(old, new, strict=True)
            moved += [Moved(before=before, after=after) for before, after in pairs]
        else:
            left[0].extend(old)
            left[1].extend(new)
    return moved, *left
