"""Tallies: how many records of a tenant count against a quota.

A creation is counted on the condition that there is room (``creations``); ends are counted in
several records, for many end at once and none of them needs room. All numbers only grow. A process
that has read an older number of ends allows less than there is room for, never more, and reads
again before it refuses (``docs/decisions/0039-quotas.md``).
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from itertools import chain

from timegate.adapters.dynamo.limits.creations import (
    LARGE,
    MAIN,
    PARTS,
    UNLIMITED,
    Creations,
    Record,
)
from timegate.adapters.dynamo.tables.engine import REFUSED, Engine, Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number, optional_number
from timegate.adapters.dynamo.tables.transactions import write_or_refuse
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Compared, Count, Put, Update, Where, Write
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded, Tallied
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import DagId, JobId, part_of
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Records in which ends are counted.
ENDED_PARTS = 16
#: Readings of a tenant's counts for one creation.
_TRIES = 12
_MADE = "made"
_ENDED = "ended#"


class QuotaTally:
    """Tallies of one quota, for all tenants."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        quota: Quota,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._engine = engine
        self._table = table
        self._quota = quota
        self._pause = pause
        #: The counts that were read last.
        self._seen: dict[TenantId, Creations] = {}

    def write(
        self,
        owner: tuple[TenantId, JobId | DagId],
        writes: Sequence[Write | Put],
        *,
        counts: tuple[bool, bool],
        limit: int | None = None,
        beside: "Sequence[Tallying]" = (),
    ) -> bool:
        """Store all or nothing; ``False`` where a condition does not hold.

        ``counts``: whether the record counted before, and does after. ``beside``: other records of
        the same writes, counted by tallies of theirs. Raises ``QuotaExceeded`` for one too many,
        and ``Throttled``.
        """
        counted = [Tallying(self, owner, counts=counts, limit=limit), *beside]
        all_writes = [*writes, *chain.from_iterable(each.ended for each in counted)]
        added = [each for each in counted if each.is_added]
        return self._add(all_writes, added) if added else self._plainly(all_writes)

    def end_all(
        self, tenant: TenantId, records: Sequence[JobId | DagId], writes: Sequence[Write]
    ) -> bool:
        """Store the ends of several records, counted together; ``False``: not all may be stored.

        Ends need no room, so they may be counted in the part of any of them.
        """
        count = replace(self.ended(tenant, records[0]), by=len(records))
        return not self._try([*writes, count])

    def ended(self, tenant: TenantId, record: JobId | DagId) -> Count:
        """Return the count that joins the write after which a record counts no more."""
        part = part_of(record, ENDED_PARTS)
        return Count(table=self._table, key=self._key(tenant, f"{_ENDED}{part:02d}"))

    def used(self, tenant: TenantId) -> int:
        """Read the number of records that count now."""
        return self.read(tenant).used

    def _add(self, writes: Sequence[Write | Put], added: "Sequence[Tallying]") -> bool:
        """Store what is added, each counted in a record that has room."""
        rooms = [each.rooms() for each in added]
        counts = [next(each) for each in rooms]
        while True:
            codes = self._try([*writes, *counts])
            if not codes:
                return True
            if REFUSED in codes[: len(writes)]:
                # Also a repetition of what was stored before the last place was taken.
                return False
            for place, code in enumerate(codes[len(writes) :]):
                if code == REFUSED:
                    counts[place] = next(rooms[place])

    def rooms(self, owner: tuple[TenantId, JobId | DagId], limit: int) -> Iterator[Update]:
        """Yield counts that may fit, each after a newer reading.

        One is yielded in any case: a repetition of what is stored needs no room. Raises
        ``QuotaExceeded``, and ``Throttled`` where none fits after many readings.
        """
        tenant, own = owner[0], part_of(owner[1], PARTS)
        seen = self._seen.get(tenant)
        is_new = seen is None and limit >= LARGE
        if seen is None:
            seen = self._look(tenant) if is_new else Creations()
        is_told = False
        for _ in range(_TRIES):
            count = self._counted(tenant, seen, own, limit)
            if count is not None:
                is_told = True
                yield count
            if count is not None or not is_new:
                seen, is_new = self._look(tenant), True
            if seen.tallied.used >= limit:
                if not is_told:
                    yield self._full(tenant)
                raise QuotaExceeded(self._quota, limit=limit, used=seen.tallied.used)
            if self._counted(tenant, seen, own, limit) is None:
                seen = self._allot(tenant, seen, limit)
        raise Throttled(f"The count of {self._quota} is fought over.")

    def _counted(self, tenant: TenantId, seen: Creations, own: int, limit: int) -> Update | None:
        """Return the count that joins a creation; ``None``: nothing has room by what was read."""
        if not seen.is_allotted and limit < LARGE:
            most = limit + seen.ended - 1
            return self._one_more(
                tenant, MAIN, {"counted": Compared(at_most=most, or_missing=most >= 0)}
            )
        place = seen.with_room(own, limit)
        if place is None:
            return None
        most = seen.records[place].most or 0
        fits = Compared(at_most=most - 1, or_missing=True)
        return self._one_more(tenant, place, {"counted": fits, "most": most, "limit": limit})

    def _one_more(self, tenant: TenantId, place: int, where: Where) -> Update:
        return Update(
            table=self._table,
            key=self._made(tenant, place),
            fields={},
            added={"counted": 1},
            where={"most": None, **where},
            creates=True,
        )

    def _full(self, tenant: TenantId) -> Update:
        """Return a count that is refused: what is refused beside it says more."""
        return self._one_more(tenant, MAIN, {"counted": Compared(at_most=-1)})

    def _allot(self, tenant: TenantId, seen: Creations, limit: int) -> Creations:
        """Allot the room that is left. Where others did, or counted meanwhile, a reading shows
        it.
        """
        after = seen.allotted(limit)
        if self._try([self._as_seen(tenant, *each) for each in seen.changes(after)]):
            return self._look(tenant)
        self._seen[tenant] = after
        return after

    def _as_seen(self, tenant: TenantId, place: int, old: Record, new: Record) -> Update:
        return Update(
            table=self._table,
            key=self._made(tenant, place),
            fields={"counted": new.counted, "most": new.most, "limit": new.limit},
            where={
                "counted": Compared(equal=old.counted, or_missing=not old.counted),
                "most": old.most,
                "limit": old.limit,
            },
            creates=True,
        )

    def _look(self, tenant: TenantId) -> Creations:
        seen = self._seen[tenant] = self._read(tenant)
        return seen

    def _plainly(self, writes: Sequence[Write | Put]) -> bool:
        """A write alone costs half."""
        if len(writes) == 1 and not isinstance(writes[0], Put):
            return self._engine.write(writes[0]).done
        return not self._try(writes)

    def _try(self, writes: Sequence[Write | Put]) -> list[str]:
        return write_or_refuse(self._engine, writes, pause=self._pause)

    def read(self, tenant: TenantId) -> Tallied:
        """Made, and ended: all that have ended since were made before. Raises ``Throttled``."""
        return self._read(tenant).tallied

    def _read(self, tenant: TenantId) -> Creations:
        page = self._engine.query(
            Query(
                table=self._table,
                of=self._key(tenant, "").pk,
                prefix=f"{self._quota}#",
                consistent=True,
            )
        )
        found = {str(each["sk"]): each for each in page.items}
        made = (found.get(self._made(tenant, place).sk, {}) for place in range(PARTS + 1))
        ended = (each for sk, each in found.items() if sk.startswith(f"{self._quota}#{_ENDED}"))
        return Creations(
            records=tuple(_record(each) for each in made),
            ended=sum(number(each["counted"]) for each in ended),
        )

    def correct(self, tenant: TenantId, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer, as made; ``False``: some were made since it was seen.

        The next creation allots anew. An end meanwhile does no harm: it is counted elsewhere.
        Raises ``Throttled``.
        """
        now = self._read(tenant)
        if now.tallied.records != seen.records:
            return False
        corrected = replace(now.records[MAIN], counted=now.records[MAIN].counted + by, limit=None)
        writes = [self._as_seen(tenant, MAIN, now.records[MAIN], corrected)]
        if now.is_allotted:
            parts = enumerate(now.records[:MAIN])
            writes += [
                self._as_seen(tenant, n, each, replace(each, limit=None)) for n, each in parts
            ]
        return not self._try(writes)

    def _made(self, tenant: TenantId, place: int) -> Key:
        return self._key(tenant, _MADE if place == MAIN else f"{_MADE}#{place:02d}")

    def _key(self, tenant: TenantId, part: str) -> Key:
        return Key(pk=f"{tenant}#quota", sk=f"{self._quota}#{part}")


@dataclass(frozen=True, slots=True)
class Tallying:
    """A record, and what a write makes of it for its quota."""

    tally: QuotaTally
    owner: tuple[TenantId, JobId | DagId]
    _: KW_ONLY
    #: Tell if the record counted before, and does after.
    counts: tuple[bool, bool]
    limit: int | None = None

    @property
    def is_added(self) -> bool:
        """Tell if one more counts."""
        return self.counts == (False, True)

    @property
    def ended(self) -> Sequence[Count]:
        """Return the count of a record that counts no more."""
        return [self.tally.ended(*self.owner)] if self.counts == (True, False) else ()

    def rooms(self) -> Iterator[Update]:
        """Yield counts that may fit, as ``QuotaTally.rooms`` does."""
        return self.tally.rooms(self.owner, UNLIMITED if self.limit is None else self.limit)


def _record(fields: Mapping[str, Plain]) -> Record:
    return Record(
        counted=number(fields.get("counted", 0)),
        most=optional_number(fields.get("most")),
        limit=optional_number(fields.get("limit")),
    )
