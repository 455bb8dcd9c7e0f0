"""Expiry of the records of a DAG run: those beside it are kept as long as it is."""

from dataclasses import replace
from datetime import timedelta

from tests.contract.dag_runs.dag_run_factories import LOAD, opened, run_of
from tests.support.stores.contract_stores import Stores
from timegate.adapters.dynamo.tables.keys import dag_run_key, dag_run_row_key, task_key
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.values.identity import TaskKey

LATER = timedelta(days=40)


def expiries(stores: Stores, run: DagRun) -> dict[str, int]:
    """Expiry of the DAG run, of its task, and of its row in the list of its DAG's runs."""
    keys = {
        "run": dag_run_key(run.tenant, run.dag_run_id),
        "task": task_key(run.tenant, run.dag_run_id, LOAD),
        "row": dag_run_row_key(run.tenant, run.dag_id, run.created_at, run.dag_run_id),
    }
    table = stores.dag_runs._table  # type: ignore[attr-defined]
    found = {name: stores.engine.get(table, key) for name, key in keys.items()}
    return {name: int(str(item["expires_at"])) for name, item in found.items() if item}


def test_records_beside_a_dag_run_that_is_opened_anew_expire_with_it(stores: Stores) -> None:
    """Its deadline has moved: none of them is gone while it works."""
    run = stores.dag_runs.create(run_of())
    opened(stores, run)
    (first,) = set(expiries(stores, run).values())
    later = replace(run, deadline_at=run.deadline_at + LATER)
    assert stores.dag_runs.change(run, later)
    stores.dag_runs.keep_tasks(later, [LOAD, TaskKey("never_stored")])

    expected = first + int(LATER.total_seconds())
    assert expiries(stores, run) == {"run": expected, "task": expected, "row": expected}
    assert [task.key for task in stores.dag_runs.tasks(run.tenant, run.dag_run_id)] == [LOAD]
