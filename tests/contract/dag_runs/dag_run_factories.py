"""DAG runs and their tasks, as records."""

from typing import Any

from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores
from tests.unit.domain.dags.definitions import ACME
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress
from timegate.domain.dag_runs.run_identity import DagTrigger, dag_run_id_for_key
from timegate.domain.values.identity import TaskKey, dag_id_for_key
from timegate.domain.values.payload import Payload

DAG = dag_id_for_key(ACME, "nightly")
LOAD = TaskKey("load")


def run_of(key: str = "first", **fields: Any) -> DagRun:  # noqa: ANN401 - as the record has them
    """A DAG run that was started a moment ago."""
    plain: dict[str, Any] = {
        "tenant": ACME,
        "dag_run_id": dag_run_id_for_key(ACME, DAG, key),
        "dag_id": DAG,
        "dag_version": 3,
        "status": DagRunStatus.OPENING,
        "trigger": DagTrigger.MANUAL,
        "scheduled_at": NOW,
        "created_at": NOW,
        "deadline_at": after(3_600),
        "watch_at": after(60),
        "tasks": 4,
        "parameters": Payload(inline="{}", size_bytes=2),
        "request_hash": "hash",
        "follow": True,
    }
    return DagRun(**(plain | fields))


def opened(stores: Stores, run: DagRun, **fields: Any) -> TaskProgress:  # noqa: ANN401
    """A task of it, on record."""
    own = TaskProgress(tenant=ACME, dag_run_id=run.dag_run_id, key=LOAD, **fields)
    stores.dag_runs.open_tasks(run, [own])
    return own
