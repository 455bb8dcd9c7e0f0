"""From the ledger to JSON."""

import json
from datetime import datetime

from api.runs.progress_views import finish_view
from api.runs.run_views import timeline_view
from api.values.views import View, instant_view
from timegate.domain.ledger.damaged_records import DamageCode, DamagedGap, DamagedRecord, DamagedRun
from timegate.domain.ledger.explanations import explain_damage, explain_gap, explain_run
from timegate.domain.ledger.ledger import Gap
from timegate.domain.ledger.ledger_reading import Record
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import rfc3339
from timegate.usecases.ledger.explain_instant import Explained


def record_view(record: Record) -> View:
    """One record: a run, a gap, or what cannot be read of one."""
    match record:
        case Gap():
            return _gap_view(record)
        case Attempt():
            return _run_view(record)
        case DamagedRun():
            at = record.id.run.scheduled_at
            return _damaged_view(record, DamageCode.RUN, at, at, run_id=str(record.id.run))
        case DamagedGap():
            first = record.first if record.first_is_known else None
            return _damaged_view(record, DamageCode.GAP, first, record.last, run_id=None)


def _run_view(last: Attempt) -> View:
    run = last.id.run
    return {
        "kind": "run",
        "instant": rfc3339(run.scheduled_at),
        "state": last.state,
        "reason": last.reason,
        "run_id": str(run),
        "attempt": last.id.number,
        "finish_by": finish_view(last),
        "explanation": explain_run(last),
    }


def _gap_view(gap: Gap) -> View:
    return {
        "kind": "gap",
        "first": rfc3339(gap.first),
        "last": rfc3339(gap.last),
        "count": gap.count,
        "reason": gap.reason,
        "rolled_to": None if gap.rolled_to is None else rfc3339(gap.rolled_to.of(gap.first)),
        "explanation": explain_gap(gap),
    }


def _damaged_view(
    damaged: DamagedRecord,
    code: DamageCode,
    first: datetime | None,
    last: datetime,
    *,
    run_id: str | None,
) -> View:
    return {
        "kind": "damaged",
        "code": code,
        "first": instant_view(first),
        "last": rfc3339(last),
        "run_id": run_id,
        "explanation": explain_damage(damaged),
    }


def explained_view(explained: Explained) -> View:
    """Show the outcome of an instant, and its reason."""
    account, nearest = explained.account, explained.nearest
    return {
        "instant": rfc3339(explained.instant),
        "verdict": account.verdict,
        "explanation": account.explanation,
        "record": None if account.record is None else _explained_record(account.record),
        "nearest": {"before": instant_view(nearest.before), "after": instant_view(nearest.after)},
        "payload": json.loads(explained.payload or "null"),
    }


def _explained_record(record: Record) -> View:
    """Show a record, and the way of a run to its worker."""
    way = (
        {"due_at": rfc3339(record.due_at), "timeline": timeline_view(record)}
        if isinstance(record, Attempt)
        else {}
    )
    return record_view(record) | way
