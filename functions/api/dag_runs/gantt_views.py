"""From Gantt charts to JSON."""

from api.dag_runs.dag_run_views import members_view
from api.values.views import View, instant_view
from timegate.domain.dag_runs.pictures.gantt import BarSpan, Gantt, Row
from timegate.domain.values.instants import rfc3339


def gantt_view(gantt: Gantt) -> View:
    """A DAG run over time."""
    run = gantt.run
    return {
        "dag_run_id": run.dag_run_id,
        "dag_id": run.dag_id,
        "dag_version": run.dag_version,
        "name": gantt.name,
        "status": run.status,
        "begins_at": rfc3339(gantt.begins_at),
        "ends_at": rfc3339(gantt.ends_at),
        "rows": [_row_view(row) for row in gantt.rows],
    }


def _row_view(row: Row) -> View:
    return {
        "key": row.key,
        "title": row.title,
        "state": row.state,
        "reason": row.reason,
        "round": row.round,
        "members": members_view(row.members),
        "is_complete": row.is_complete,
        "spans": [_span_view(span) for span in row.spans],
    }


def _span_view(span: BarSpan) -> View:
    return {
        "kind": span.kind,
        "round": span.round,
        "attempt": span.attempt,
        "begins_at": rfc3339(span.begins_at),
        "ends_at": instant_view(span.ends_at),
        "state": span.state,
        "runs": span.runs,
    }
