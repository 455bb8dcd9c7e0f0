"""Reading history and the ``watch`` index: always by key."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.keys import (
    NOTICE_PREFIX,
    bucket_name,
    job_pk,
    notices_prefix,
    parse_attempt_key,
    run_prefix,
)
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.errors import Malformed, RunNotFound
from timegate.domain.identity import JobId, Origin, RunId
from timegate.domain.instants import compact
from timegate.domain.run import Attempt
from timegate.domain.tenant import TenantId
from timegate.ports.stores import AttemptRef, Page, Unreadable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: No attempt has this number: a position just below all attempts at a run.
_BEFORE_FIRST = "0000"
#: Sorts after everything that follows an instant in a key.
_AFTER_ALL = "~"


def attempts(
    client: "DynamoDBClient", table: str, tenant: TenantId, run: RunId
) -> tuple[Attempt, ...]:
    """All attempts at a run, first to last; raises ``RunNotFound``."""
    found = _beginning(client, table, job_pk(tenant, run.job_id), run_prefix(run))
    if not found:
        raise RunNotFound(str(run))
    return found


def notices(
    client: "DynamoDBClient", table: str, tenant: TenantId, run: RunId
) -> tuple[Attempt, ...]:
    """The last attempt of each run that tells of this one."""
    found = _beginning(client, table, job_pk(tenant, run.job_id), notices_prefix(run))
    return tuple({attempt.id.run: attempt for attempt in found}.values())


def list_runs(
    client: "DynamoDBClient",
    table: str,
    tenant: TenantId,
    job_id: JobId,
    *,
    limit: int,
    cursor: str | None,
) -> Page[Attempt]:
    """The last attempt of each run, latest instant first.

    Read downwards, a run's last attempt comes first. A cursor points below a run's first attempt,
    so no run straddles two pages.
    """
    pk = job_pk(tenant, job_id)
    listing = f"runs#{pk}"
    start = read_cursor(listing, cursor) if cursor is not None else None
    latest: dict[RunId, Attempt] = {}
    for attempt in _downwards(client, table, pk, start, page_size=limit + 1):
        if attempt.id.run not in latest and len(latest) == limit:
            position = f"{run_prefix(list(latest)[-1])}{_BEFORE_FIRST}"
            return Page(rows=tuple(latest.values()), cursor=write_cursor(listing, position))
        latest.setdefault(attempt.id.run, attempt)
    return Page(rows=tuple(latest.values()), cursor=None)


def history(
    client: "DynamoDBClient", table: str, pk: str, span: tuple[datetime, datetime], *, limit: int
) -> tuple[Attempt, ...]:
    """The last attempt of each run that the schedule named in a range, both ends included.

    Read upwards, a run's last attempt comes last: it is known when the next run begins.
    """
    found: dict[RunId, Attempt] = {}
    for attempt in _within(client, table, pk, span, page_size=limit + 1, upwards=True):
        run = attempt.id.run
        if run.origin is not Origin.SCHEDULE:
            continue
        if run not in found and len(found) == limit:
            break
        found[run] = attempt
    return tuple(found.values())


def latest(
    client: "DynamoDBClient", table: str, pk: str, span: tuple[datetime, datetime], *, limit: int
) -> tuple[Attempt, ...]:
    """As ``history``, from the end of the range: read downwards, a last attempt comes first."""
    found: dict[RunId, Attempt] = {}
    for attempt in _within(client, table, pk, span, page_size=limit + 1, upwards=False):
        if attempt.id.run.origin is Origin.SCHEDULE:
            found.setdefault(attempt.id.run, attempt)
        if len(found) == limit:
            break
    return tuple(found.values())


def overdue(
    client: "DynamoDBClient", table: str, minute: str, shard: int, *, until: datetime
) -> Iterator[AttemptRef | Unreadable]:
    """Attempts in one bucket that someone must look at, soonest first."""
    pages = client.get_paginator("query").paginate(
        TableName=table,
        IndexName="watch",
        KeyConditionExpression="watch_bucket = :bucket AND watch_at <= :until",
        ExpressionAttributeValues={
            ":bucket": {"S": bucket_name(minute, shard)},
            ":until": {"S": compact(until)},
        },
    )
    with throttles_translated():
        for page in pages:
            for item in page["Items"]:
                yield _watched(str(item["pk"]["S"]), str(item["sk"]["S"]))


def _watched(pk: str, sk: str) -> AttemptRef | Unreadable:
    try:
        tenant, attempt = parse_attempt_key(pk, sk)
    except Malformed as malformed:
        return Unreadable(pk=pk, sk=sk, reason=str(malformed))
    return AttemptRef(tenant=tenant, id=attempt)


def _beginning(client: "DynamoDBClient", table: str, pk: str, prefix: str) -> tuple[Attempt, ...]:
    pages = client.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues={":pk": {"S": pk}, ":prefix": {"S": prefix}},
        ConsistentRead=True,
    )
    with throttles_translated():
        return tuple(
            attempt_from_fields(from_item(item)) for page in pages for item in page["Items"]
        )


def _downwards(
    client: "DynamoDBClient", table: str, pk: str, start: str | None, *, page_size: int
) -> Iterator[Attempt]:
    asked = {
        "TableName": table,
        "KeyConditionExpression": "pk = :pk AND sk < :notices",
        "ExpressionAttributeValues": {":pk": {"S": pk}, ":notices": {"S": NOTICE_PREFIX}},
        "ScanIndexForward": False,
        "Limit": page_size,
    }
    position = {"pk": {"S": pk}, "sk": {"S": start}} if start is not None else None
    return _page_by_page(client, asked, position)


def _within(
    client: "DynamoDBClient",
    table: str,
    pk: str,
    span: tuple[datetime, datetime],
    *,
    page_size: int,
    upwards: bool,
) -> Iterator[Attempt]:
    start, end = span
    asked = {
        "TableName": table,
        "KeyConditionExpression": "pk = :pk AND sk BETWEEN :start AND :end",
        "ExpressionAttributeValues": {
            ":pk": {"S": pk},
            ":start": {"S": compact(start)},
            ":end": {"S": f"{compact(end)}{_AFTER_ALL}"},
        },
        "ScanIndexForward": upwards,
        "Limit": page_size,
    }
    return _page_by_page(client, asked, None)


def _page_by_page(
    client: "DynamoDBClient", asked: Mapping[str, Any], position: Mapping[str, Any] | None
) -> Iterator[Attempt]:
    while True:
        start: dict[str, Any] = {"ExclusiveStartKey": position} if position else {}
        with throttles_translated():
            answer = client.query(**{**asked, **start, "ConsistentRead": True})
        for item in answer["Items"]:
            yield attempt_from_fields(from_item(item))
        position = answer.get("LastEvaluatedKey")
        if not position:
            return
