"""Runs of a tenant that began on a day, counted by the transactions that begin them.

A count lies in a few records, so that those who begin runs at the same moment seldom meet. Each
record has its share of the quota and only grows; what one has no room for goes to the next. So a
run is refused only where all of them are full, and nothing is refused while there is room.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta

from timegate.adapters.dynamo.tables.engine import REFUSED, Engine, Query, Refusal
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.transactions import write_or_tell
from timegate.adapters.dynamo.tables.writes import Count, Found, Put, Update, Write
from timegate.domain.execution.day_quota import Counted, DayIsFull, DayQuota
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement

#: A day's count is kept for so long after its beginning.
_KEPT = timedelta(days=3)
#: Full records that a process remembers.
_MOST_REMEMBERED = 10_000


class DayCounts:
    """Counts of runs per day, of all tenants."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        shards: ShardPlacement,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._table = table
        self._shards = shards
        self._pause = pause
        #: They have no room left for a share of this size.
        self._full: set[tuple[Key, int]] = set()

    def claim(
        self,
        tenant: TenantId,
        quota: DayQuota,
        claims: Sequence[Update],
        is_ours: Callable[[int, Found], bool],
    ) -> list[Counted]:
        """Write each claim with its count, as long as there is room; raises ``Throttled``.

        ``is_ours``: whether the claim of this index was written before, by what stands there now.
        """
        decided: dict[int, Counted] = {}
        for key, share in self._places(tenant, quota, claims[0].key.pk + claims[0].key.sk):
            room = share
            while room > 0:
                batch = [i for i in range(len(claims)) if i not in decided][:room]
                if not batch:
                    return [decided[i] for i in range(len(claims))]
                count = self._count(key, quota, share, by=len(batch))
                refusals = self._try([*(claims[i] for i in batch), count])
                if not refusals:
                    decided |= dict.fromkeys(batch, Counted.HELD)
                    room -= len(batch)
                    continue
                for index, refusal in zip(batch, refusals, strict=False):
                    if refusal.code == REFUSED:
                        ours = is_ours(index, refusal.found)
                        decided[index] = Counted.HELD if ours else Counted.LOST
                room = self._room(refusals[-1], share, room)
            self._remember(key, share)
        return [decided.get(i, Counted.BEYOND) for i in range(len(claims))]

    def begin_one(
        self,
        tenant: TenantId,
        quota: DayQuota | None,
        writes: Sequence[Write | Put],
        *,
        now: datetime,
    ) -> bool:
        """Write all of this, which is the beginning of one run, or nothing; ``False``: a condition
        of it does not hold, whether or not there is room. Raises ``DayIsFull``, and ``Throttled``.
        """
        if quota is None:
            return not self._try(writes)
        seed = f"{writes[0]}"
        for key, share in self._places(tenant, quota, seed, at_least_one=True):
            refusals = self._try([*writes, self._count(key, quota, share, by=1)])
            if not refusals:
                return True
            if any(refusal.code == REFUSED for refusal in refusals[:-1]):
                return False
            self._remember(key, share)
        used = self.begun(tenant, quota.day)
        raise DayIsFull(limit=quota.limit, used=max(used, quota.limit), now=now)

    def is_known_full(self, tenant: TenantId, quota: DayQuota) -> bool:
        """Tell if every record was seen to be full."""
        return not list(self._places(tenant, quota, ""))

    def begun(self, tenant: TenantId, day: date) -> int:
        """Read the count of a day, strongly consistent; raises ``Throttled``."""
        page = self._engine.query(
            Query(
                table=self._table,
                of=_key(tenant, day, 0).pk,
                prefix=f"{day}#",
                consistent=True,
            )
        )
        return sum(number(each["counted"]) for each in page.items)

    def _places(
        self, tenant: TenantId, quota: DayQuota, seed: str, *, at_least_one: bool = False
    ) -> Iterator[tuple[Key, int]]:
        """The records that are not known to be full, each with its share, from the seed's on.

        ``at_least_one``: that of the seed even so, for who has to hear of another condition.
        """
        shares = quota.shares
        first = self._shards().part_of(seed, len(shares)) if len(shares) > 1 else 0
        for place in (*range(first, len(shares)), *range(first)):
            key, share = _key(tenant, quota.day, place), shares[place]
            is_full = share == 0 or (key, share) in self._full
            if not is_full or (at_least_one and place == first):
                yield key, share

    def _count(self, key: Key, quota: DayQuota, share: int, *, by: int) -> Count:
        begins = datetime.combine(quota.day, datetime.min.time(), UTC)
        return Count(
            table=self._table,
            key=key,
            at_most=share,
            by=by,
            expires_at=int((begins + _KEPT).timestamp()),
        )

    def _try(self, writes: Sequence[Write | Put]) -> list[Refusal]:
        refusals = write_or_tell(self._engine, writes, pause=self._pause)
        if refusals and not any(refusal.code == REFUSED for refusal in refusals):
            message = f"a transaction was refused for what it says: {refusals}"
            raise ValueError(message)
        return refusals

    def _room(self, of_count: Refusal, share: int, room: int) -> int:
        """Return the room that a refused count shows to be left."""
        if of_count.code != REFUSED:
            return room
        counted = number(of_count.found["counted"]) if of_count.found else 0
        return share - counted

    def _remember(self, key: Key, share: int) -> None:
        if len(self._full) >= _MOST_REMEMBERED:
            self._full.clear()
        self._full.add((key, share))


def _key(tenant: TenantId, day: date, place: int) -> Key:
    """No job's partition: their ids are no such word."""
    return Key(pk=f"{tenant}#days", sk=f"{day}#{place:02d}")
