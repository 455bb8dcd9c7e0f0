"""Changing a stored DAG: read, decide, and write only what was decided about what was read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from timegate.domain.dags.definition import Dag
from timegate.domain.dags.errors import DagChanged, DagVersionMismatch
from timegate.domain.values.errors import JobChanged
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.telemetry.telemetry import LogEvent
from timegate.usecases.dags.definition import DagRef
from timegate.usecases.dags.own_job_changes import (
    materialise_own_job,
    own_job_changed,
    own_job_stored,
)
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.services.api_services import ApiServices

#: Others may get in between; each of them makes progress when it does.
MAX_TRIES = 5

#: Decides what a DAG becomes; the same: nothing. Pure: it may be asked again.
Change = Callable[[Dag], Dag]


def change_dag(
    ref: DagRef, event: LogEvent, change: Change, services: ApiServices, *, now: datetime
) -> Dag:
    """Apply a change as a new version, and to the DAG's job with it; runs that have begun keep to
    their version.

    Raises ``DagNotFound``, ``DagVersionMismatch``, ``DagChanged`` after losing every race,
    ``QuotaExceeded``, and whatever ``change`` or a change of the job raises.
    """
    for _ in range(MAX_TRIES):
        before = services.dags.get(ref.tenant, ref.dag_id)
        if ref.version not in {None, before.version}:
            raise DagVersionMismatch(ref.dag_id, before.version)
        changed = change(before)
        if changed == before:
            materialise_own_job(before, services, now=now)
            return before
        # Clocks differ, and a version is never older than the one before it.
        at = max(now, before.updated_at + MILLISECOND)
        after = replace(changed, version=before.version + 1, updated_at=at)
        try:
            own_job = own_job_changed(before, after, services, now=now)
            with refusals_told(ref.tenant, services.telemetry):
                services.dags.update(before, after, own_job=own_job)
        except (DagChanged, JobChanged):
            continue
        services.telemetry.event(
            event, tenant_id=ref.tenant, dag_id=ref.dag_id, version=after.version
        )
        if own_job is not None:
            own_job_stored(own_job, services, now=now)
        return after
    raise DagChanged(ref.dag_id)
