"""From the ledger to JSON."""

from datetime import datetime

from api.views import View
from timegate.domain.explanations import explain_gap, explain_run
from timegate.domain.instants import rfc3339
from timegate.domain.ledger import Gap
from timegate.domain.ledger_reading import Record
from timegate.usecases.explain_instant import Explained


def record_view(record: Record) -> View:
    """One record: a run, or a gap."""
    if isinstance(record, Gap):
        return {
            "kind": "gap",
            "first": rfc3339(record.first),
            "last": rfc3339(record.last),
            "count": record.count,
            "reason": record.reason,
            "explanation": explain_gap(record),
        }
    run = record.id.run
    return {
        "kind": "run",
        "instant": rfc3339(run.scheduled_at),
        "state": record.state,
        "reason": record.reason,
        "run_id": str(run),
        "attempt": record.id.number,
        "explanation": explain_run(record),
    }


def explained_view(explained: Explained) -> View:
    """What became of an instant, and why."""
    account, nearest = explained.account, explained.nearest
    return {
        "instant": rfc3339(explained.instant),
        "verdict": account.verdict,
        "explanation": account.explanation,
        "record": None if account.record is None else record_view(account.record),
        "nearest": {"before": _instant(nearest.before), "after": _instant(nearest.after)},
    }


def _instant(instant: datetime | None) -> str | None:
    return None if instant is None else rfc3339(instant)
