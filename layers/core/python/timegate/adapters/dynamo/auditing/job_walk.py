"""The walk over all jobs, in the table itself: an index may have lost what the auditor is after."""

from collections.abc import Mapping

from timegate.adapters.dynamo.auditing.scan_positions import key_after, position_of
from timegate.adapters.dynamo.jobs.job_items import is_barred, job_from_fields
from timegate.adapters.dynamo.tables.engine import Engine, Scan
from timegate.adapters.dynamo.tables.keys import JOB_SK, WATCH_SK, job_of, parse_watch_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.planning.places import shown_from
from timegate.domain.values.errors import Malformed
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import SightedJob, TablePage
from timegate.ports.stores import DamagedJob

#: Items that one page passes over, jobs or not; DynamoDB ends a page at a megabyte as well.
MAX_ITEMS = 2_000


def read_jobs(
    engine: Engine,
    table: str,
    segment: int,
    of: int,
    *,
    position: str | None,
    finds_rules: bool = False,
) -> TablePage:
    """The next jobs of a segment, eventually consistent: at most 128 read units.

    ``finds_rules``: the page names the tenants that have rules as well, by their watches.
    """
    page = engine.scan(
        Scan(
            table=table,
            segment=segment,
            of=of,
            only={"sk": (JOB_SK, WATCH_SK) if finds_rules else (JOB_SK,)},
            limit=MAX_ITEMS,
            after=key_after(position),
        )
    )
    watches = [fields for fields in page.items if fields["sk"] == WATCH_SK]
    jobs = [fields for fields in page.items if fields["sk"] == JOB_SK]
    read = [_sighted(fields) for fields in jobs if not is_barred(fields)]
    return TablePage(
        jobs=tuple(each for each in read if isinstance(each, SightedJob)),
        damaged=tuple(each for each in read if isinstance(each, DamagedJob)),
        position=position_of(page.last) if page.last else None,
        with_rules=tuple(parse_watch_key(str(each["pk"]), WATCH_SK) for each in watches),
    )


def _sighted(fields: Mapping[str, Plain]) -> SightedJob | DamagedJob:
    try:
        job = job_from_fields(fields)
    except Malformed as malformed:
        pk = str(fields["pk"])
        return DamagedJob(
            tenant=TenantId(pk.rpartition("#")[0]), job_id=job_of(pk), reason=str(malformed)
        )
    waits = shown_from(job.timing, job.updated_at) is not None
    return SightedJob(
        job=job,
        is_indexed=not waits or {"due_bucket", "due_at"} <= fields.keys(),
        is_listed={"tenant_key", "listed_at"} <= fields.keys(),
    )
