"""Gaps as items: a partition for each job, in the order of their last instants."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from timegate.adapters.dynamo.tables.codec import Part
from timegate.adapters.dynamo.tables.engine import Engine, Query, pages
from timegate.adapters.dynamo.tables.keys import GAP_PREFIX, gap_key, gaps_pk, owner_of_gaps
from timegate.adapters.dynamo.tables.reading import reader_of, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Insert, Put
from timegate.domain.ledger.damaged_records import DamagedGap, GapRecord
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import from_compact
from timegate.domain.values.tenant import TenantId

#: Sorts after every digit: the end of all gaps of a job.
_BEYOND = f"{GAP_PREFIX}~"
_GAP = Part(Gap)
_GAP_KEY = re.compile(rf"{GAP_PREFIX}(\d{{8}}T\d{{9}}Z)#(\d+)", re.ASCII)


def gap_to_fields(gap: Gap, *, expires_at: datetime) -> dict[str, Plain]:
    """The whole item of a gap."""
    key = gap_key(gap.tenant, gap.job_id, gap.last, gap.job_version)
    return {
        "pk": key.pk,
        "sk": key.sk,
        **_GAP.fields(gap),
        "expires_at": int(expires_at.timestamp()),
    }


def void_fields(gap: Gap, *, expires_at: datetime) -> dict[str, Plain]:
    """Build the item that replaces a gap that no longer exists: no function may delete."""
    key = gap_key(gap.tenant, gap.job_id, gap.last, gap.job_version)
    return {"pk": key.pk, "sk": key.sk, "void": True, "expires_at": int(expires_at.timestamp())}


def gap_records(
    table: str, gaps: Sequence[Gap], cuts: Sequence[Cut], *, retention: timedelta
) -> list[Insert | Put]:
    """New gaps, and what is left of those that are cut."""

    def expiry(gap: Gap) -> datetime:
        return gap.recorded_at + retention

    def fields(gap: Gap) -> dict[str, Plain]:
        return gap_to_fields(gap, expires_at=expiry(gap))

    records = [Insert(table=table, fields=fields(gap)) for gap in gaps]
    # A planner that stored one of them meanwhile has moved the job, and the write is refused.
    cut = [
        Put(table=table, fields=void_fields(each.gap, expires_at=expiry(each.gap))) for each in cuts
    ]
    left = [Put(table=table, fields=fields(each.left)) for each in cuts if each.left is not None]
    return [*records, *cut, *left]


@reader_of("gap")
def gap_from_fields(fields: Mapping[str, Plain]) -> Gap:
    """Read a gap back; raises ``Malformed``."""
    return _GAP.read(fields)


def read_gaps(
    engine: Engine,
    table: str,
    tenant: TenantId,
    job_id: JobId,
    *,
    since: datetime,
    limit: int,
) -> tuple[GapRecord, ...]:
    """The first gaps of a job that reach to ``since`` or beyond, in order.

    One query, unless void ones take so many places that there may be more.
    """
    gaps: list[GapRecord] = []
    query = Query(
        table=table,
        of=gaps_pk(tenant, job_id),
        first=gap_key(tenant, job_id, since).sk,
        last=_BEYOND,
        consistent=True,
        limit=limit,
    )
    for page in pages(engine, query):
        gaps += _read(page.items)
        if len(gaps) >= limit:
            break
    return tuple(gaps[:limit])


def _read(found: Iterable[Mapping[str, Plain]]) -> Iterator[GapRecord]:
    """The gaps of items; what lies under no gap's key is none."""
    for fields in found:
        if "void" in fields:
            continue
        try:
            yield gap_from_fields(fields)
        except Malformed as malformed:
            damaged = _damaged(fields, str(malformed))
            if damaged is not None:
                yield damaged


def _damaged(fields: Mapping[str, Plain], reason: str) -> DamagedGap | None:
    key = _GAP_KEY.fullmatch(str(fields["sk"]))
    last = _instant(key[1]) if key is not None else None
    if key is None or last is None:
        return None
    tenant, job_id = owner_of_gaps(str(fields["pk"]))
    first = _instant(fields.get("first"))
    return DamagedGap(
        tenant=tenant,
        job_id=job_id,
        first=first or last,
        first_is_known=first is not None,
        last=last,
        job_version=int(key[2]),
        reason=reason,
    )


def _instant(value: Plain) -> datetime | None:
    try:
        return from_compact(text(value))
    except TimegateError:
        return None
