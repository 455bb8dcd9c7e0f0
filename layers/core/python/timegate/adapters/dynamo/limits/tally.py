"""Tallies: how many records of a tenant count against a quota.

What is made is counted in one place, on the condition that there is room; what ends is counted in
several, for many end at once and none of them needs room. Both numbers only grow. So whoever has
seen an older number of ends allows less than there is room for, never more, and looks again before
it refuses (``docs/decisions/0039-quotas.md``).
"""

import time
from collections.abc import Callable, Sequence

from timegate.adapters.dynamo.tables.engine import REFUSED, Engine, Query
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.reading import number
from timegate.adapters.dynamo.tables.transactions import write_or_refuse
from timegate.adapters.dynamo.tables.writes import Compared, Count, Put, Update, Write
from timegate.domain.execution.quota_usage import Quota, QuotaExceeded, Tallied
from timegate.domain.values.identity import DagId, JobId, part_of
from timegate.domain.values.tenant import TenantId

#: Places in which ends are counted.
PARTS = 16
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
        #: Ends that were seen; there are as many at least.
        self._ended: dict[TenantId, int] = {}

    def write(
        self,
        owner: tuple[TenantId, JobId | DagId],
        writes: Sequence[Write | Put],
        *,
        counts: tuple[bool, bool],
        limit: int | None = None,
    ) -> bool:
        """Store all or nothing; ``False`` where a condition does not hold.

        ``counts``: whether the record counted before, and does after. Raises ``QuotaExceeded`` for
        one too many, and ``Throttled``.
        """
        before, after = counts
        if before == after:
            return self._plainly(writes)
        if after:
            return self._add(owner[0], writes, limit)
        return not self._try([*writes, self.ended(*owner)])

    def ended(self, tenant: TenantId, record: JobId | DagId) -> Count:
        """Return the count that joins the write after which a record counts no more."""
        part = part_of(record, PARTS)
        return Count(table=self._table, key=self._key(tenant, f"{_ENDED}{part:02d}"))

    def used(self, tenant: TenantId) -> int:
        """Read the number of records that count now."""
        return self.read(tenant).used

    def _add(self, tenant: TenantId, writes: Sequence[Write | Put], limit: int | None) -> bool:
        """One more; whoever finds no room by what it has seen looks again, as often as that
        shows some: each time others have ended.
        """
        key = self._key(tenant, _MADE)
        while True:
            ended = self._ended.get(tenant, 0)
            most = None if limit is None else limit + ended
            codes = self._try([*writes, Count(table=self._table, key=key, at_most=most)])
            if not codes:
                return True
            if REFUSED in codes[:-1] or limit is None:
                # Also a repetition of what was stored before the last place was taken.
                return False
            now = self.read(tenant)
            self._ended[tenant] = now.ended
            if now.used >= limit:
                raise QuotaExceeded(self._quota, limit=limit, used=now.used)

    def _plainly(self, writes: Sequence[Write | Put]) -> bool:
        """A write alone costs half."""
        if len(writes) == 1 and not isinstance(writes[0], Put):
            return self._engine.write(writes[0]).done
        return not self._try(writes)

    def _try(self, writes: Sequence[Write | Put]) -> list[str]:
        return write_or_refuse(self._engine, writes, pause=self._pause)

    def read(self, tenant: TenantId) -> Tallied:
        """Made, and ended: all that have ended since were made before. Raises ``Throttled``."""
        page = self._engine.query(
            Query(
                table=self._table,
                of=self._key(tenant, "").pk,
                prefix=f"{self._quota}#",
                consistent=True,
            )
        )
        counted = {str(each["sk"]): number(each["counted"]) for each in page.items}
        made = counted.pop(f"{self._quota}#{_MADE}", 0)
        return Tallied(made=made, ended=sum(counted.values()))

    def correct(self, tenant: TenantId, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer, as made; ``False``: some were made since it was seen.

        What ends meanwhile does no harm: it is counted elsewhere. Raises ``Throttled``.
        """
        is_as_seen = Compared(equal=seen.made, or_missing=not seen.made)
        corrected = Update(
            table=self._table,
            key=self._key(tenant, _MADE),
            fields={"counted": seen.made + by},
            where={"counted": is_as_seen},
            creates=True,
        )
        return self._engine.write(corrected).done

    def _key(self, tenant: TenantId, part: str) -> Key:
        return Key(pk=f"{tenant}#quota", sk=f"{self._quota}#{part}")
