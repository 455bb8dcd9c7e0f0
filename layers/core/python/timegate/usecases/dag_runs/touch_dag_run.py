"""Touching a DAG run that no function looked at in time: the stream shows it to outcomes."""

from datetime import datetime

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.values.errors import Malformed
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER


def touch_dag_run(
    ref: DagRunRef, dag_runs: DagRunStore, telemetry: Telemetry, *, now: datetime
) -> bool:
    """Have a DAG run looked at that is overdue; ``False``: it is not. Raises ``Throttled``."""
    try:
        run = dag_runs.touch(ref, now=now, watch_at=now + LOOK_AFTER)
    except Malformed as malformed:
        # It was put off all the same: it holds up no other record.
        telemetry.count(service_metrics.RECORDS_UNREADABLE)
        telemetry.event(service_events.DAG_RUN_UNREADABLE, dag_run_id=ref.id, detail=str(malformed))
        return False
    if run is not None:
        telemetry.event(service_events.DAG_RUN_TOUCHED, **of_dag_run(run), status=run.status)
    return run is not None
