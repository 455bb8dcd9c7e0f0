"""Fair shares of a planner's tick: a tenant with few jobs due does not wait behind one with many.

A bucket is read in order of time, whosever the jobs are. Each tenant's share is planned at once;
jobs beyond it are set aside, and planned after every tenant's fair share. A job that a tick does
not reach stays in its bucket, where the next one finds it: nothing else has to remember it.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import field

from timegate.domain.jobs.job import Timing
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Unreadable
from timegate.value_classes import dataclass

#: Jobs of one tenant that a tick plans before it has come to every tenant's: less than a second's
#: work, so each tenant with a flood delays the others by no more.
SHARE = 500
#: Jobs set aside that are remembered, about 20 MB; what is beyond them is read again.
REMEMBERED = 10_000
#: Jobs of one tenant in a row when the rest is planned.
_IN_A_ROW = 25


@dataclass(kw_only=True, slots=True)
class FairShares:
    """Counts of the jobs of one tick, tenant by tenant."""

    share: int = SHARE
    remembered: int = REMEMBERED
    #: Tenants with so many jobs that they are not all remembered: reading may pass over the others.
    flooding: set[TenantId] = field(default_factory=set)
    _taken: Counter[TenantId] = field(default_factory=Counter)
    _aside: dict[str, list[Timing]] = field(default_factory=lambda: defaultdict(list))
    _unread: set[str] = field(default_factory=set)
    _remembers: int = 0

    def sift(
        self, minute: str, waiting: Iterator[Timing | Unreadable]
    ) -> Iterator[Timing | Unreadable]:
        """Return the jobs of a bucket that are planned at once."""
        for each in waiting:
            if isinstance(each, Unreadable) or self._taken[each.tenant] < self.share:
                if isinstance(each, Timing):
                    self._taken[each.tenant] += 1
                yield each
            elif self._remembers < self.remembered:
                self._aside[minute].append(each)
                self._remembers += 1
            else:
                self.flooding.add(each.tenant)
        if self.flooding:
            self._unread.add(minute)

    def lift(self) -> None:
        """Lift the share, after every tenant had its own."""
        self.share = sys.maxsize
        self.flooding.clear()

    @property
    def exceeded(self) -> dict[TenantId, int]:
        """Return tenants beyond their share, with the number of their jobs set aside."""
        aside = Counter(timing.tenant for each in self._aside.values() for timing in each)
        return {tenant: aside[tenant] for tenant in {*aside, *self.flooding}}

    def set_aside(self) -> Iterator[tuple[str, list[Timing]]]:
        """Return jobs set aside for the end of the tick: earliest minutes first, tenants by
        turns.
        """
        for minute, timings in sorted(self._aside.items()):
            yield minute, _by_turns(timings)

    def unread(self) -> list[str]:
        """Minutes that have more than is remembered."""
        return sorted(self._unread)


def _by_turns(timings: list[Timing]) -> list[Timing]:
    """Each tenant's in order, some of one and then some of the next."""
    place: Counter[TenantId] = Counter()
    turns: list[tuple[int, Timing]] = []
    for timing in timings:
        turns.append((place[timing.tenant] // _IN_A_ROW, timing))
        place[timing.tenant] += 1
    return [timing for _, timing in sorted(turns, key=lambda turn: turn[0])]
