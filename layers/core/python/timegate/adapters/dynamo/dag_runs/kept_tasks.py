"""Expiry of the records beside a DAG run that is opened anew."""

from collections.abc import Sequence
from datetime import timedelta

from timegate.adapters.dynamo.dag_runs.dag_run_items import forgotten_at
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import dag_run_row_key, task_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.values.identity import TaskKey


def keep_tasks(
    engine: Engine, table: str, run: DagRun, keys: Sequence[TaskKey], *, retention: timedelta
) -> None:
    """Let tasks, and the row in the list of the DAG's runs, expire with the DAG run."""
    row = dag_run_row_key(run.tenant, run.dag_id, run.created_at, run.dag_run_id)
    places = [row, *(task_key(run.tenant, run.dag_run_id, key) for key in keys)]
    kept = {"expires_at": forgotten_at(run, retention=retention)}
    engine.write_each([Update(table=table, key=each, fields=kept, where={}) for each in places])
