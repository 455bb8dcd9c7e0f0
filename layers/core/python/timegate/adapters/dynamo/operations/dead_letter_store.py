"""Dead letters in the runs table: sparse indexes, and the write that settles one."""

from datetime import timedelta

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields, expiry
from timegate.adapters.dynamo.runs.items.attempt_reading import ATTEMPT, attempt_from_fields
from timegate.adapters.dynamo.runs.items.dead_letter_items import (
    DEAD_AT,
    DEAD_LETTER_FIELDS,
    dead_letter_fields,
)
from timegate.adapters.dynamo.runs.items.index_items import FAILURE_FIELDS
from timegate.adapters.dynamo.tables.engine import TRANSIENT, Engine, Query
from timegate.adapters.dynamo.tables.keys import Key, attempt_key, job_pk
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Put, Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed, Throttled
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.ports.stores import Page
from timegate.value_classes import dataclass

#: Entries of an index that are looked at for one page.
MAX_EXAMINED = 1_000
#: Records that one batch reads.
_AT_ONCE = 100
#: Sorts before and after every instant.
_EARLIEST, _LATEST = "0", "~"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    """The index that names what is asked for most narrowly, and the partition of it."""

    index: str
    partition: str


class DynamoDeadLetterStore:
    """Four sparse indexes over one table; an item is in all of them, or in none."""

    def __init__(
        self,
        engine: Engine,
        *,
        table: str,
        shards: ShardPlacement,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._engine = engine
        self._audit = audit or AuditWrites(table=table)
        self._table = table
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def list_dead_letters(
        self, tenant: TenantId, wanted: DeadLetterFilter, *, limit: int, cursor: str | None
    ) -> Page[Attempt]:
        """A tenant's dead letters that match, newest first."""
        place = _place_of(tenant, wanted)
        listing = f"dead-letters#{place.index}#{place.partition}"
        below = read_cursor(listing, cursor) if cursor is not None else None
        rows: list[Attempt] = []
        for _ in range(0, MAX_EXAMINED, _AT_ONCE):
            found, more = self._entries(place, wanted, below)
            for position, attempt in self._read(found):
                below = position
                if attempt is not None and wanted.matches(attempt):
                    rows.append(attempt)
                if len(rows) == limit:
                    more = more or position != found[-1][0]
                    break
            if len(rows) == limit or not more:
                break
        next_cursor = write_cursor(listing, below) if more and below is not None else None
        return Page(rows=tuple(rows), cursor=next_cursor)

    def count_dead_letters(self, tenant: TenantId, *, most: int) -> int:
        """Count a tenant's dead letters as the index shows them, one beyond ``most`` at most."""
        place = _place_of(tenant, DeadLetterFilter())
        query = Query(
            table=self._table,
            of=place.partition,
            index=place.index,
            counts_only=True,
            limit=most + 1,
        )
        return self._engine.query(query).count

    def settle(self, before: Attempt, after: Attempt, *, opened: Attempt | None) -> bool:
        """Settle a dead letter, and store the attempt that opens its run again, or neither."""
        settled = Update(
            table=self._table,
            key=attempt_key(before.tenant, before.id),
            fields={
                **ATTEMPT.field("resolution", after.resolution),
                "expires_at": expiry(after, retention=self._retention),
            },
            # Successors of its end that are not done yet still follow.
            removed=(*DEAD_LETTER_FIELDS, *(() if after.is_failure else FAILURE_FIELDS)),
            where={
                "state": before.state,
                "resolution": None,
                DEAD_AT: dead_letter_fields(before).get(DEAD_AT),
            },
            shows_refused=True,
        )
        beside: list[Insert | Put] = [*self._audit.run(before, after)]
        if opened is not None:
            fields = attempt_to_fields(opened, shards=self._shards(), retention=self._retention)
            beside = [Insert(table=self._table, fields=fields), *beside]
        if not beside:
            result = self._engine.write(settled)
            return result.done or _settled_before(result.found, after)
        refusals = self._engine.transact([settled, *beside])
        codes = {refusal.code for refusal in refusals}
        if codes & TRANSIENT:
            raise Throttled(f"A settlement was refused: {sorted(codes & TRANSIENT)}.")
        return not refusals or _settled_before(refusals[0].found, after)

    def _entries(
        self, place: _Place, wanted: DeadLetterFilter, below: str | None
    ) -> tuple[list[tuple[str, Key]], bool]:
        """The next entries below a position, newest first, and whether there are more."""
        first = compact(wanted.start) if wanted.start is not None else _EARLIEST
        last = f"{compact(wanted.end)}{_LATEST}" if wanted.end is not None else _LATEST
        if below is not None:
            # The range includes its bound, which is left out below. A key to begin at would have
            # to exist still: it may have been settled meanwhile.
            last = min(last, below)
        if last < first:
            return [], False
        page = self._engine.query(
            Query(
                table=self._table,
                of=place.partition,
                index=place.index,
                first=first,
                last=last,
                latest_first=True,
                limit=_AT_ONCE,
            )
        )
        found = [(str(r[DEAD_AT]), Key(pk=str(r["pk"]), sk=str(r["sk"]))) for r in page.items]
        return [each for each in found if each[0] != below], page.last is not None

    def _read(self, found: list[tuple[str, Key]]) -> list[tuple[str, Attempt | None]]:
        """The attempts as they are, strongly consistent; ``None``: gone, or unreadable."""
        items = self._engine.get_all({self._table: [key for _, key in found]})[self._table]
        return [(position, _readable(items.get(key))) for position, key in found]


def _place_of(tenant: TenantId, wanted: DeadLetterFilter) -> _Place:
    if wanted.job_id is not None:
        partition = job_pk(tenant, wanted.job_id)
        return _Place(index="dead_by_job", partition=partition)
    if wanted.error_code is not None:
        partition = f"{tenant}#{wanted.error_code}"
        return _Place(index="dead_by_code", partition=partition)
    if wanted.reason is not None:
        partition = f"{tenant}#{wanted.reason}"
        return _Place(index="dead_by_reason", partition=partition)
    return _Place(index="dead_letters", partition=tenant)


def _readable(fields: dict[str, Plain] | None) -> Attempt | None:
    """One that is damaged must not hide its neighbours."""
    try:
        return attempt_from_fields(fields) if fields is not None else None
    except Malformed:
        return None


def _settled_before(found: dict[str, Plain] | None, after: Attempt) -> bool:
    """Our own write, if the answer to it was lost on its way."""
    ours = ATTEMPT.field("resolution", after.resolution)
    return found is not None and ours.items() <= found.items()
