"""A tenant's jobs by page: one query of the index ``by_tenant``, and one read of the jobs."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.jobs.job_items import job_or_damage
from timegate.adapters.dynamo.tables.engine import Engine, Query
from timegate.adapters.dynamo.tables.keys import Key, job_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import DamagedJob, JobPage

#: Entries that one query for a name looks at: 21 read units, as an entry has about 170 bytes.
NAMES_PER_QUERY = 1_000


def list_page(
    engine: Engine,
    table: str,
    tenant: TenantId,
    *,
    limit: int,
    cursor: str | None,
    name: str | None,
) -> JobPage:
    """Read a page, newest first.

    With a name, the index is searched for it, and only jobs that have it are read.
    """
    listing = f"jobs#{tenant}"
    page = engine.query(
        Query(
            table=table,
            of=tenant,
            index="by_tenant",
            latest_first=True,
            limit=limit if name is None else NAMES_PER_QUERY,
            after=_after(tenant, listing, cursor),
            **_named(name),
        )
    )
    found = page.items[:limit]
    last = found[-1] if len(page.items) > limit else page.last
    read = _read_jobs(engine, table, tenant, [_key(row) for row in found])
    return JobPage(
        rows=tuple(each for each in read if isinstance(each, Job)),
        damaged=tuple(each for each in read if isinstance(each, DamagedJob)),
        cursor=write_cursor(listing, str(last["listed_at"])) if last is not None else None,
    )


def _after(tenant: TenantId, listing: str, cursor: str | None) -> dict[str, Plain] | None:
    if cursor is None:
        return None
    listed_at = read_cursor(listing, cursor)
    key = job_key(tenant, JobId(listed_at.rpartition("#")[2]))
    return {"pk": key.pk, "sk": key.sk, "tenant_key": tenant, "listed_at": listed_at}


def _named(pattern: str | None) -> dict[str, Any]:
    """Return the members of a query for jobs of a name, or of its beginning before a ``*``."""
    if pattern is None or pattern == "*":
        return {}
    if pattern.endswith("*"):
        return {"begins": {"name": pattern[:-1]}}
    return {"only": {"name": [pattern]}}


def _key(row: Mapping[str, Plain]) -> Key:
    return Key(pk=str(row["pk"]), sk=str(row["sk"]))


def _read_jobs(
    engine: Engine, table: str, tenant: TenantId, keys: list[Key]
) -> list[Job | DamagedJob]:
    items = engine.get_all({table: keys})[table]
    return [
        job_or_damage(tenant, JobId(key.pk.rpartition("#")[2]), items[key])
        for key in keys
        if key in items
    ]
