"""Touching DAG runs that no function looked at in time: the stream shows them to outcomes."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.values.errors import Malformed
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER


def touch_dag_runs(
    found: Sequence[object], dag_runs: DagRunStore, telemetry: Telemetry, *, now: datetime
) -> int:
    """Have those among them that are overdue DAG runs looked at; how many. Raises ``Throttled``."""
    touched = 0
    for ref in found:
        if not isinstance(ref, DagRunRef):
            continue
        try:
            run = dag_runs.touch(ref, now=now, watch_at=now + LOOK_AFTER)
        except Malformed as malformed:
            # It was put off all the same: it holds up no other record.
            telemetry.count(service_metrics.RECORDS_UNREADABLE)
            telemetry.event(
                service_events.DAG_RUN_UNREADABLE, dag_run_id=ref.id, detail=str(malformed)
            )
            continue
        touched += run is not None
        if run is not None:
            telemetry.event(
                service_events.DAG_RUN_TOUCHED,
                **of_dag_run(run),
                status=run.status,
            )
    return touched
