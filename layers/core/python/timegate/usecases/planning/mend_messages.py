"""Messages after a promotion: retries that did not arrive from the region before are made."""

from collections.abc import Callable, Iterator
from datetime import datetime

from timegate.domain.auditing.unarrived import LostTime
from timegate.domain.execution.notices import RETRY, TIMEOUT_SECONDS
from timegate.domain.jobs.job import Job
from timegate.domain.regions.lost_retry import asks_for_retry, lost_retry, retried_since
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.identity import JobId
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.rules import RulesAtHand
from timegate.ports.stores import RunStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry

#: Reads the rules of a tenant, strongly consistent; ``None``: it never had one.
RulesOf = Callable[[TenantId], RulesAtHand | None]
#: Records that are read at once.
_PAGE = 500


def mend_messages_of_job(job: Job, since: datetime, runs: RunStore, *, now: datetime) -> int:
    """Make the retries that messages of a job's channels lack; how many. Raises ``Throttled``.

    ``since``: the first instant of a run that a message may tell of. A job without channels costs
    no read.
    """
    return _mend(job.tenant, job.job_id, since, runs, now) if job.notifications else 0


def mend_messages_of_rules(
    tenant: TenantId,
    lost: LostTime,
    rules_of: RulesOf,
    runs: RunStore,
    telemetry: Telemetry,
    *,
    now: datetime,
) -> None:
    """Make the retries that messages of a tenant's rules lack; raises ``Throttled``.

    Rules that cannot be read hold up no other tenant.
    """
    try:
        at_hand = rules_of(tenant)
    except DAMAGE as damage:
        telemetry.event(service_events.JOB_UNREADABLE, item=f"{tenant} rules", detail=repr(damage))
        return
    for rule in at_hand.rules if at_hand is not None else ():
        made = _mend(tenant, rule.rule_id, lost.until, runs, now)
        if made:
            telemetry.event(
                service_events.REGION_RULE_MENDED,
                tenant_id=tenant,
                rule_id=rule.rule_id,
                retries=made,
            )


def _mend(tenant: TenantId, governor: JobId, since: datetime, runs: RunStore, now: datetime) -> int:
    first = retried_since(RETRY, TIMEOUT_SECONDS, until=since)
    asked = [each for each in _messages(tenant, governor, first, runs) if asks_for_retry(each)]
    return (
        sum(runs.insert_all([lost_retry(each, RETRY, now=now) for each in asked])) if asked else 0
    )


def _messages(
    tenant: TenantId, governor: JobId, first: datetime, runs: RunStore
) -> Iterator[Attempt]:
    """The last attempt of each message about an instant from ``first`` on."""
    cursor = None
    while True:
        page = runs.list_notices(
            tenant, governor, limit=_PAGE, cursor=cursor, within=InstantRange(start=first)
        )
        yield from page.rows
        cursor = page.cursor
        if cursor is None:
            return
