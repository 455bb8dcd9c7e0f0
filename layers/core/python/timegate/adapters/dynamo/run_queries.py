"""Reading history and the ``watch`` index: always by key."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.keys import (
    DAG_RUN_SK,
    NOTICE_PREFIX,
    bucket_name,
    job_pk,
    notices_prefix,
    parse_attempt_key,
    parse_dag_run_key,
    run_prefix,
)
from timegate.adapters.dynamo.run_records import StoredAttempt, sound_attempts, stored_attempts
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dag.run_identity import DagRunRef
from timegate.domain.damaged_records import DamagedRun, RunRecord
from timegate.domain.errors import Malformed, RunNotFound
from timegate.domain.identity import JobId, Origin, RunId
from timegate.domain.instants import compact
from timegate.domain.listing_filters import InstantRange
from timegate.domain.run import Attempt
from timegate.domain.tenant import TenantId
from timegate.ports.stores import AttemptRef, RunPage, Unreadable

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: No attempt has this number: a position just below all attempts at a run.
_BEFORE_FIRST = "0000"
#: Sorts after everything that follows an instant in a key.
_AFTER_ALL = "~"


def attempts(
    client: "DynamoDBClient", table: str, tenant: TenantId, run: RunId
) -> tuple[Attempt, ...]:
    """All attempts at a run, first to last; raises ``RunNotFound`` and ``RunDamaged``."""
    found = _beginning(client, table, job_pk(tenant, run.job_id), run_prefix(run))
    if not found:
        raise RunNotFound(str(run))
    return found


def notices(
    client: "DynamoDBClient", table: str, tenant: TenantId, run: RunId
) -> tuple[Attempt, ...]:
    """The last attempt of each run that tells of this one; raises ``RunDamaged``."""
    found = _beginning(client, table, job_pk(tenant, run.job_id), notices_prefix(run))
    return tuple({attempt.id.run: attempt for attempt in found}.values())


def list_runs(
    client: "DynamoDBClient",
    table: str,
    tenant: TenantId,
    job_id: JobId,
    *,
    within: InstantRange,
    limit: int,
    cursor: str | None,
) -> RunPage:
    """The last attempt of each run that is named within, latest instant first.

    Read downwards, a run's last attempt comes first. A cursor points below a run's first attempt,
    so no run straddles two pages.
    """
    pk = job_pk(tenant, job_id)
    listing = f"runs#{pk}"
    below = read_cursor(listing, cursor) if cursor is not None else None
    last: dict[RunId, StoredAttempt] = {}
    for attempt in _downwards(client, table, pk, _keys(within, below), page_size=limit + 1):
        if attempt.id.run not in last and len(last) == limit:
            position = f"{run_prefix(list(last)[-1])}{_BEFORE_FIRST}"
            return _page(last.values(), cursor=write_cursor(listing, position))
        last.setdefault(attempt.id.run, attempt)
    return _page(last.values(), cursor=None)


def _page(last: Iterable[StoredAttempt], *, cursor: str | None) -> RunPage:
    read = [each.read() for each in last]
    return RunPage(
        rows=tuple(each for each in read if isinstance(each, Attempt)),
        damaged=tuple(each for each in read if isinstance(each, DamagedRun)),
        cursor=cursor,
    )


def history(
    client: "DynamoDBClient", table: str, pk: str, span: tuple[datetime, datetime], *, limit: int
) -> tuple[RunRecord, ...]:
    """The last attempt of each run that the schedule named in a range, both ends included.

    Read upwards, a run's last attempt comes last: it is known when the next run begins.
    """
    found: dict[RunId, StoredAttempt] = {}
    for attempt in _within(client, table, pk, span, page_size=limit + 1, upwards=True):
        run = attempt.id.run
        if run.origin is not Origin.SCHEDULE:
            continue
        if run not in found and len(found) == limit:
            break
        found[run] = attempt
    return tuple(each.read() for each in found.values())


def latest(
    client: "DynamoDBClient", table: str, pk: str, span: tuple[datetime, datetime], *, limit: int
) -> tuple[RunRecord, ...]:
    """As ``history``, from the end of the range: read downwards, a last attempt comes first."""
    found: dict[RunId, StoredAttempt] = {}
    for attempt in _within(client, table, pk, span, page_size=limit + 1, upwards=False):
        if attempt.id.run.origin is Origin.SCHEDULE:
            found.setdefault(attempt.id.run, attempt)
        if len(found) == limit:
            break
    return tuple(each.read() for each in found.values())


def overdue(
    client: "DynamoDBClient", table: str, minute: str, shard: int, *, until: datetime
) -> Iterator[AttemptRef | DagRunRef | Unreadable]:
    """Attempts and DAG runs in one bucket that someone must look at, soonest first."""
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


def _watched(pk: str, sk: str) -> AttemptRef | DagRunRef | Unreadable:
    if sk == DAG_RUN_SK:
        return parse_dag_run_key(pk)
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
        return tuple(sound_attempts(item for page in pages for item in page["Items"]))


def _keys(within: InstantRange, below: str | None) -> tuple[str, str]:
    """The first and the last sort key of what is left of a range of instants.

    A key to begin at would have to lie within the range; a bound need not.
    """
    first = compact(within.start) if within.start is not None else ""
    last = NOTICE_PREFIX if within.end is None else f"{compact(within.end)}{_AFTER_ALL}"
    return first, min(last, below) if below is not None else last


def _downwards(
    client: "DynamoDBClient", table: str, pk: str, keys: tuple[str, str], *, page_size: int
) -> Iterator[StoredAttempt]:
    first, last = keys
    # No empty text is a key.
    bounds = "sk BETWEEN :first AND :last" if first else "sk < :last"
    values = {":pk": {"S": pk}, ":last": {"S": last}}
    asked = {
        "TableName": table,
        "KeyConditionExpression": f"pk = :pk AND {bounds}",
        "ExpressionAttributeValues": values | ({":first": {"S": first}} if first else {}),
        "ScanIndexForward": False,
        "Limit": page_size,
    }
    return iter(()) if last < first else _page_by_page(client, asked, None)


def _within(
    client: "DynamoDBClient",
    table: str,
    pk: str,
    span: tuple[datetime, datetime],
    *,
    page_size: int,
    upwards: bool,
) -> Iterator[StoredAttempt]:
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
) -> Iterator[StoredAttempt]:
    while True:
        start: dict[str, Any] = {"ExclusiveStartKey": position} if position else {}
        with throttles_translated():
            answer = client.query(**{**asked, **start, "ConsistentRead": True})
        yield from stored_attempts(answer["Items"])
        position = answer.get("LastEvaluatedKey")
        if not position:
            return
