"""Reading decisions: everything of a tenant that failed for good and waits for a person."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.operations.dead_letter import NamedRun
from timegate.domain.operations.decisions import Decision, decisions
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.usecases.runs.read_tenant_runs import load_last_attempts
from timegate.usecases.services.api_services import ApiServices

#: Failed runs that are looked at for one answer, and for one read of it.
MOST_READ = 500
_READ = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class Decisions:
    """Groups of what waits, by failed runs that were looked at: the latest ends."""

    groups: tuple[Decision, ...]
    #: Failed runs that were looked at.
    read: int
    #: There are more.
    is_partial: bool


def read_decisions(tenant: TenantId, services: ApiServices, *, since: datetime) -> Decisions:
    """Group the tenant's failed runs that ended since, and the jobs that they paused.

    Looks at up to ``MOST_READ`` of them, the latest end first: four queries and a batch of reads
    for each hundred.
    """
    found: list[NamedRun] = []
    cursor, read, within = None, 0, InstantRange(start=since)
    while read < MOST_READ:
        page = services.failures.list_failures(tenant, within=within, limit=_READ, cursor=cursor)
        found += [
            NamedRun(last=row.attempt, job=row.job)
            for row in load_last_attempts(page.rows, services)
            if row.attempt is not None
        ]
        cursor, read = page.cursor, read + len(page.rows)
        if cursor is None:
            break
    return Decisions(groups=decisions(found), read=read, is_partial=cursor is not None)
