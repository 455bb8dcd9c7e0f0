"""Audit trail: how long a stage keeps its entries."""

import re
from collections.abc import Callable

#: The archive takes an entry within nine days, and its alarm leaves two weeks to mend it.
LEAST_DAYS = 30
#: Ten years.
MOST_DAYS = 3_650
_DAYS = re.compile(r"[0-9]{1,4}")


class AuditRetentionError(ValueError):
    """``auditRetentionDays`` is no number of days that a trail may have."""


def audit_retention_days(context: Callable[[str], object], default: int) -> int:
    """Read ``auditRetentionDays``, from 30 to 3,650; raises ``AuditRetentionError``."""
    given = context("auditRetentionDays")
    if given in (None, ""):
        return default
    # ``cdk.json`` may say it as a number.
    text = str(given)
    if not _DAYS.fullmatch(text) or not LEAST_DAYS <= int(text) <= MOST_DAYS:
        raise AuditRetentionError(
            f"auditRetentionDays: {text!r} is no number of days from {LEAST_DAYS} to {MOST_DAYS:,}"
        )
    return int(text)
