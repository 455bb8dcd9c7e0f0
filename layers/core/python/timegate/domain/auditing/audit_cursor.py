"""The audit cursor of a job: how far its instants are checked, and when the next check is due."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import blake2b

from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND, compact
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Instants of a frequent job are checked together, so that one write moves past many of them.
CHECK_EVERY = timedelta(minutes=15)
#: A job is looked at so often, even if it names no instant for years: it may have been lost.
LOOK_AGAIN = timedelta(hours=24)
#: A gap may be recorded so much before its instants, and expires as much sooner.
_EXPIRES_BEFORE = timedelta(hours=2)


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditCursor:
    """The auditor's record of a job; no other function writes it."""

    tenant: TenantId
    job_id: JobId
    #: The version of the job at its last check; 0 before the first.
    version: int
    #: Every instant up to here is checked.
    checked_until: datetime
    #: When the next check is due; ``None``: the job has ended, and all its instants are checked.
    check_at: datetime | None
    #: Runs on record up to ``checked_until``, for ``max_runs``; ``None``: older ones had expired.
    counted: int | None = 0

    @property
    def is_finished(self) -> bool:
        """The job names no instant any more."""
        return self.check_at is None


def horizon(now: datetime, retention: timedelta) -> datetime:
    """Records of instants up to here may have expired: their absence says nothing."""
    return now - retention + _EXPIRES_BEFORE


def opening_cursor(
    tenant: TenantId, job_id: JobId, created_at: datetime, *, now: datetime, since: datetime
) -> AuditCursor:
    """The cursor of a job that has none yet; ``since``: the horizon of its records."""
    return AuditCursor(
        tenant=tenant,
        job_id=job_id,
        version=0,
        # A schedule that runs once may name the instant of its creation.
        checked_until=max(created_at - MILLISECOND, since),
        check_at=now,
        counted=0 if created_at > since else None,
    )


def next_check(following: datetime | None, *, now: datetime, settled_after: timedelta) -> datetime:
    """Return the instant of the job's next check; ``following``: its next instant, or ``None``."""
    latest = now + LOOK_AGAIN
    if following is None or following >= latest:
        return latest
    return min(max(following + settled_after, now + CHECK_EVERY), latest)


def drawn(due: Iterable[AuditCursor], most: int, *, now: datetime) -> list[AuditCursor]:
    """At most so many of these: by the hours for which they wait, and among equals by lot.

    The lot depends on ``now`` and the job's id alone: a tick that is repeated draws the same.
    """
    return sorted(due, key=lambda each: (-_hours(each, now), lot(each.tenant, each.job_id, now)))[
        :most
    ]


def lot(tenant: TenantId, job_id: JobId, now: datetime) -> bytes:
    """The lot of a job at ``now``: who has the lowest is taken first."""
    text = f"{compact(now)}#{tenant}#{job_id}"
    return blake2b(text.encode(), digest_size=8).digest()


def _hours(cursor: AuditCursor, now: datetime) -> int:
    waited = now - (cursor.check_at or now)
    return waited // timedelta(hours=1)
