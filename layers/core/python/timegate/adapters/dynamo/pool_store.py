"""The index ``pool`` of the runs, and the workers that were seen, which lie among the jobs."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.keys import attempt_key, parse_attempt_key
from timegate.adapters.dynamo.offer_items import LANES, lane_of
from timegate.adapters.dynamo.schedule_items import listed, text
from timegate.adapters.dynamo.single_writes import side_by_side
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item, to_attribute
from timegate.domain.instants import compact, from_compact
from timegate.domain.tenant import TenantId
from timegate.ports.pools import Depth, Offered, Shelf, WorkerSeen
from timegate.ports.stores import AttemptRef

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Entries of a lane that are looked through for certain handlers.
MAX_LOOKED_THROUGH = 1_000
_PAGE_OF_HANDLERS = 250
_MAX_WORKERS = 100
#: Then a worker that asks no more is forgotten.
_FORGOTTEN_AFTER = timedelta(days=1)
_WORKER_PREFIX = "worker#"
#: A busy worker asks often; that it is there is written no more often than this.
_GREETED_AGAIN_AFTER = timedelta(seconds=30)
_MAX_GREETED = 1_000


class DynamoPoolStore:
    """What pools offer: read by key, a lane at a time, side by side."""

    def __init__(self, client: "DynamoDBClient", *, jobs_table: str, runs_table: str) -> None:
        self._client = client
        self._jobs_table = jobs_table
        self._runs_table = runs_table
        self._greeted: dict[tuple[TenantId, str, str], WorkerSeen] = {}

    def offered(
        self, shelf: Shelf, *, until: datetime, limit: int, handlers: Collection[str] = ()
    ) -> list[Offered]:
        """The first runs that may be claimed by ``until``, soonest first."""
        read = partial(self._lane, until=until, limit=limit, handlers=sorted(handlers))
        found = [each for lane in side_by_side(read, _lanes(shelf)) for each in lane]
        return sorted(found, key=lambda each: (each.at, each.ref.id))

    def depth(self, shelf: Shelf, *, now: datetime) -> Depth:
        """How many may be claimed now: up to a page of each lane is counted, some thousands."""
        pages = side_by_side(partial(self._count, now=now), _lanes(shelf))
        return Depth(
            count=sum(int(page["Count"]) for page in pages),
            is_partial=any("LastEvaluatedKey" in page for page in pages),
        )

    def put_off(self, tenant: TenantId, offered: Offered, *, until: datetime) -> None:
        """Show a run whose record nobody can read at ``until`` again."""
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._runs_table,
                    Key=attempt_key(tenant, offered.ref.id).attributes(),
                    # What is written may be a queued image: this one must not publish.
                    UpdateExpression="SET offered_at = :until, direct = :direct",
                    ConditionExpression="offered_at = :seen",
                    ExpressionAttributeValues={
                        ":until": {"S": compact(until)},
                        ":seen": {"S": compact(offered.at)},
                        ":direct": {"BOOL": True},
                    },
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return

    def greet(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        """Remember that a worker asked for work, unless this process did a moment ago."""
        key = (tenant, pool, seen.worker)
        known = self._greeted.get(key)
        fresh = known is not None and seen.seen_at - known.seen_at < _GREETED_AGAIN_AFTER
        if known is not None and fresh and known.handlers == seen.handlers:
            return
        self._write(tenant, pool, seen)
        if len(self._greeted) >= _MAX_GREETED:
            self._greeted.clear()
        self._greeted[key] = seen

    def workers(self, tenant: TenantId, pool: str, *, since: datetime) -> Sequence[WorkerSeen]:
        """Those who asked since then, by name."""
        with throttles_translated():
            page = self._client.query(
                TableName=self._jobs_table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": workers_pk(tenant, pool)}},
                Limit=_MAX_WORKERS,
            )
        seen = [_worker(from_item(item)) for item in page["Items"]]
        return [worker for worker in seen if worker.seen_at >= since]

    def _write(self, tenant: TenantId, pool: str, seen: WorkerSeen) -> None:
        forgotten_at = int((seen.seen_at + _FORGOTTEN_AFTER).timestamp())
        with throttles_translated():
            self._client.update_item(
                TableName=self._jobs_table,
                Key={
                    "pk": {"S": workers_pk(tenant, pool)},
                    "sk": {"S": f"{_WORKER_PREFIX}{seen.worker}"},
                },
                UpdateExpression="SET seen_at = :at, handlers = :handlers, expires_at = :forgotten",
                ExpressionAttributeValues={
                    ":at": {"S": compact(seen.seen_at)},
                    ":handlers": to_attribute(list(seen.handlers)),
                    ":forgotten": {"N": str(forgotten_at)},
                },
            )

    def _lane(
        self, lane: str, *, until: datetime, limit: int, handlers: Sequence[str]
    ) -> list[Offered]:
        asked = _asked(self._runs_table, lane, until)
        if not handlers:
            return [_offered(item) for item in self._page(asked | {"Limit": limit})["Items"]]
        names = {f":h{number}": {"S": name} for number, name in enumerate(handlers)}
        asked["ExpressionAttributeNames"] = {"#handler": "handler"}
        asked["FilterExpression"] = f"#handler IN ({', '.join(names)})"
        asked["ExpressionAttributeValues"] |= names
        found: list[Offered] = []
        position: dict[str, Any] = {}
        for _ in range(MAX_LOOKED_THROUGH // _PAGE_OF_HANDLERS):
            page = self._page(asked | position | {"Limit": _PAGE_OF_HANDLERS})
            found += [_offered(item) for item in page["Items"]]
            if len(found) >= limit or "LastEvaluatedKey" not in page:
                break
            position = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        return found

    def _count(self, lane: str, *, now: datetime) -> Mapping[str, Any]:
        return self._page(_asked(self._runs_table, lane, now) | {"Select": "COUNT"})

    def _page(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        with throttles_translated():
            return self._client.query(**asked)


def workers_pk(tenant: TenantId, pool: str) -> str:
    """Where a pool's workers lie in the jobs table; no job's id is such a word."""
    return f"{tenant}#pool#{pool}"


def _lanes(shelf: Shelf) -> list[str]:
    return [lane_of(shelf.tenant, shelf.pool, shelf.priority, lane) for lane in range(LANES)]


def _asked(table: str, lane: str, until: datetime) -> dict[str, Any]:
    return {
        "TableName": table,
        "IndexName": "pool",
        "KeyConditionExpression": "pool_lane = :lane AND offered_at <= :until",
        "ExpressionAttributeValues": {":lane": {"S": lane}, ":until": {"S": compact(until)}},
    }


def _offered(item: Mapping[str, Any]) -> Offered:
    tenant, attempt = parse_attempt_key(item["pk"]["S"], item["sk"]["S"])
    ref = AttemptRef(tenant=tenant, id=attempt)
    return Offered(ref=ref, at=from_compact(item["offered_at"]["S"]))


def _worker(fields: Mapping[str, Any]) -> WorkerSeen:
    return WorkerSeen(
        worker=text(fields["sk"]).removeprefix(_WORKER_PREFIX),
        seen_at=from_compact(text(fields["seen_at"])),
        handlers=tuple(text(each) for each in listed(fields.get("handlers"))),
    )
