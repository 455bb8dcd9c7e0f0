"""Dead letters in the runs table: sparse indexes, and the write that settles one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import (
    attempt_from_fields,
    attempt_to_fields,
    expiry,
)
from timegate.adapters.dynamo.audit_writes import AuditWrites
from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.dead_letter_items import (
    DEAD_AT,
    DEAD_LETTER_FIELDS,
    dead_letter_fields,
    resolution_to_field,
)
from timegate.adapters.dynamo.keys import Key, attempt_key, job_pk
from timegate.adapters.dynamo.single_writes import put_request, update_request, write_each
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.adapters.dynamo.writes import Insert, Put, Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dead_letter import DeadLetterFilter
from timegate.domain.errors import Malformed, Throttled
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState
from timegate.domain.tenant import TenantId
from timegate.ports.shards import Spread
from timegate.ports.stores import Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Entries of an index that are looked at for one page.
MAX_EXAMINED = 1_000
#: As many as one batch reads.
_AT_ONCE = 100
#: Sorts before and after every instant.
_EARLIEST, _LATEST = "0", "~"
_NEWEST_OF_RANGE = "#partition = :partition AND dead_at BETWEEN :first AND :last"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    """The index that names what is asked for most narrowly, and the partition of it."""

    index: str
    attribute: str
    partition: str


class DynamoDeadLetterStore:
    """Four sparse indexes over one table; an item is in all of them, or in none."""

    def __init__(
        self,
        client: "DynamoDBClient",
        *,
        table: str,
        shards: Spread,
        retention_days: int,
        audit: AuditWrites | None = None,
    ) -> None:
        self._client = client
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

    def settle(self, before: Attempt, after: Attempt, *, opened: Attempt | None) -> bool:
        """Settle a dead letter, and store the attempt that opens its run again, or neither."""
        settled = Update(
            table=self._table,
            key=attempt_key(before.tenant, before.id),
            fields={
                "resolution": resolution_to_field(after.resolution),
                "expires_at": expiry(after, retention=self._retention),
            },
            # What follows its end, and is not done yet, still follows.
            removed=DEAD_LETTER_FIELDS,
            where={
                "state": RunState.DEAD_LETTERED,
                DEAD_AT: dead_letter_fields(before).get(DEAD_AT),
            },
            shows_refused=True,
        )
        beside: list[Insert | Put] = [*self._audit.run(before, after)]
        if opened is not None:
            fields = attempt_to_fields(opened, shards=self._shards(), retention=self._retention)
            beside = [Insert(table=self._table, fields=fields), *beside]
        if not beside:
            (result,) = write_each(self._client, [settled])
            return result.done or _settled_before(result.found, after)
        return self._settle_with(settled, beside, after)

    def _settle_with(
        self, settled: Update, beside: "Sequence[Insert | Put]", after: Attempt
    ) -> bool:
        members: list[Any] = [
            {"Update": update_request(settled)},
            *({"Put": put_request(each)} for each in beside),
        ]
        try:
            with throttles_translated():
                self._client.transact_write_items(TransactItems=members)
        except self._client.exceptions.TransactionCanceledException as error:
            reasons: list[Any] = list(error.response.get("CancellationReasons", []))
            codes = {f"{reason.get('Code')}".removesuffix("Exception") for reason in reasons}
            if codes & MEMBER_CODES:
                raise Throttled(str(error)) from error
            found = reasons[0].get("Item") if reasons else None
            return _settled_before(from_item(found) if found else None, after)
        return True

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
        with throttles_translated():
            answer = self._client.query(
                TableName=self._table,
                IndexName=place.index,
                KeyConditionExpression=_NEWEST_OF_RANGE,
                ExpressionAttributeNames={"#partition": place.attribute},
                ExpressionAttributeValues={
                    ":partition": {"S": place.partition},
                    ":first": {"S": first},
                    ":last": {"S": last},
                },
                ScanIndexForward=False,
                Limit=_AT_ONCE,
            )
        rows = [from_item(item) for item in answer["Items"]]
        found = [(str(r[DEAD_AT]), Key(pk=str(r["pk"]), sk=str(r["sk"]))) for r in rows]
        return [each for each in found if each[0] != below], "LastEvaluatedKey" in answer

    def _read(self, found: list[tuple[str, Key]]) -> list[tuple[str, Attempt | None]]:
        """The attempts as they are, strongly consistent; ``None``: gone, or unreadable."""
        items = read_all(self._client, {self._table: [key for _, key in found]})[self._table]
        return [(position, _readable(items.get(key))) for position, key in found]


def _place_of(tenant: TenantId, wanted: DeadLetterFilter) -> _Place:
    if wanted.job_id is not None:
        partition = job_pk(tenant, wanted.job_id)
        return _Place(index="dead_by_job", attribute="pk", partition=partition)
    if wanted.error_code is not None:
        partition = f"{tenant}#{wanted.error_code}"
        return _Place(index="dead_by_code", attribute="dead_code", partition=partition)
    if wanted.reason is not None:
        partition = f"{tenant}#{wanted.reason}"
        return _Place(index="dead_by_reason", attribute="dead_reason", partition=partition)
    return _Place(index="dead_letters", attribute="dead_tenant", partition=tenant)


def _readable(fields: dict[str, Plain] | None) -> Attempt | None:
    """One that is damaged must not hide its neighbours."""
    try:
        return attempt_from_fields(fields) if fields is not None else None
    except Malformed:
        return None


def _settled_before(found: dict[str, Plain] | None, after: Attempt) -> bool:
    """Our own write, if the answer to it was lost on its way."""
    if found is None or "resolution" not in found:
        return False
    return found["resolution"] == resolution_to_field(after.resolution)
