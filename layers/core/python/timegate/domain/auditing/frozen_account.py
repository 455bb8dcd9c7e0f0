"""Freezes of the stage in the account of an instant: why the operators held it back."""

from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import Record
from timegate.domain.restrictions.freeze import Freeze, FreezeKind
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.instants import rfc3339


def tell_of_stage(
    timing: Timing, at: datetime, record: Record | None, restrictions: Restrictions, *, frozen: bool
) -> list[str]:
    """Name the freezes of the whole stage that hold an instant back; none for any other.

    ``frozen``: it has no record, and a freeze decides about it.
    """
    moment = _held_at(at, record, frozen=frozen)
    if moment is None:
        return []
    return [
        _told(each)
        for each in restrictions.freezes
        if each.scope.kind is FreezeKind.STAGE
        and each.is_active(moment)
        and each.scope.holds(timing.job_id, timing.tags)
    ]


def _held_at(at: datetime, record: Record | None, *, frozen: bool) -> datetime | None:
    """Return the moment at which a freeze held the instant back; ``None``: none did."""
    match record:
        case Attempt():
            return record.frozen_since or (at if record.reason is Reason.FROZEN else None)
        case Gap():
            return at if record.reason is Reason.FROZEN else None
        case _:
            return at if frozen else None


def _told(freeze: Freeze) -> str:
    reason = f": {freeze.reason}" if freeze.reason else ""
    span = f"from {rfc3339(freeze.starts_at)} to {rfc3339(freeze.thaws_at)}"
    return f"The stage froze all tenants {span}{reason.rstrip('.')}."
