"""Triggered runs in the account of an instant: the schedule may not name it, and a run has it."""

from datetime import datetime

from timegate.domain.values.identity import JobId, Origin
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.api_services import ApiServices

#: Runs that are named in one answer.
MOST_NAMED = 5


def tell_of_triggers(tenant: TenantId, job_id: JobId, at: datetime, services: ApiServices) -> str:
    """Name the runs that triggers and follow-ups began at an instant; an empty text without any.

    One query, of the runs of this very instant.
    """
    within = InstantRange(start=at, end=at)
    page = services.runs.list_runs(tenant, job_id, limit=MOST_NAMED + 1, cursor=None, within=within)
    found = [each for each in page.rows if each.id.run.origin is not Origin.SCHEDULE]
    if not found:
        return ""
    named = ", ".join(f"{each.id.run} ({each.state})" for each in found[:MOST_NAMED])
    has_more = len(found) > MOST_NAMED or page.cursor is not None
    return f" Triggered runs of this instant: {named}{' and more' if has_more else ''}."
