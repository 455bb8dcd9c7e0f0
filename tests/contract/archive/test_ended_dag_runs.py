"""DAG runs and their tasks are history as attempts are: the archive has them when they expire."""

import json
from dataclasses import replace

from tests.contract.archive.test_ended_records import DAY, MIDNIGHT, rows
from tests.contract.dag_runs.dag_run_factories import LOAD, opened, run_of
from tests.support.factories import after
from tests.support.stores.contract_stores import Stores
from tests.unit.domain.dags.definitions import ACME
from timegate.domain.archive.columns import ArchivedRow, RecordKind
from timegate.domain.archive.rounds import ArchivedTable
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskState
from timegate.domain.runs.run import RunError

ERROR = RunError(code="http_status", type="HttpError", message="503")


def ended_run(stores: Stores, at: float, key: str = "first") -> DagRun:
    """Put a DAG run on record that failed so many seconds after the tests begin."""
    run = stores.dag_runs.create(run_of(key))
    run = stores.dag_runs.keep_token(run, "of a callback")
    failed = replace(run, status=DagRunStatus.FAILED, ended_at=after(at), watch_at=None)
    assert stores.dag_runs.change(run, failed)
    return failed


def archived(stores: Stores) -> dict[RecordKind, ArchivedRow]:
    """Return the rows of the day on which the tests begin, one of each kind."""
    found = rows(stores, ArchivedTable.RUNS)
    by_kind = {row.kind: row for row in found}

    assert len(found) == len(by_kind)
    return by_kind


def test_an_ended_dag_run_is_archived(stores: Stores) -> None:
    """Its tasks' attempts were: they did not say which DAG, with which parameters."""
    run = ended_run(stores, 5)
    row = archived(stores)[RecordKind.DAG_RUNS]
    record = json.loads(str(row.cells["record"]))

    assert (row.tenant, row.day) == (ACME, "2026-11-21")
    assert {name: row.cells[name] for name in ("dag_run_id", "dag_id", "status", "trigger")} == {
        "dag_run_id": run.dag_run_id,
        "dag_id": run.dag_id,
        "status": "failed",
        "trigger": "manual",
    }
    assert (row.cells["dag_version"], row.cells["round"], row.cells["tasks"]) == (3, 1, 4)
    assert row.cells["ended_at"] == 1_795_244_405_000_000
    assert "parameters" in record


def test_an_ended_task_is_archived(stores: Stores) -> None:
    """One that asks a person has no run, so that nothing else says what became of it."""
    run = stores.dag_runs.create(run_of())
    task = opened(stores, run)
    failed = replace(
        task, state=TaskState.FAILED, ended_at=after(5), attempts=2, reason="rejected", error=ERROR
    )
    assert stores.dag_runs.change_task(task, failed) is not None
    row = archived(stores)[RecordKind.DAG_TASKS]
    told = ("dag_run_id", "task", "state", "reason", "attempts", "error_code")

    assert (row.tenant, row.day) == (ACME, "2026-11-21")
    assert [row.cells[name] for name in told] == [
        *(run.dag_run_id, LOAD, "failed"),
        *("rejected", 2, "http_status"),
    ]


def test_dag_runs_and_tasks_that_have_not_ended_are_left_out(stores: Stores) -> None:
    """Neither are rows of lists and what governs tasks."""
    run = stores.dag_runs.create(run_of())
    opened(stores, run, state=TaskState.RUNNING, started_at=after(1))

    assert rows(stores, ArchivedTable.RUNS) == []


def test_dag_runs_are_archived_by_their_ends(stores: Stores) -> None:
    """From the first midnight of the span on, and before its last."""
    edges = (MIDNIGHT - 0.001, MIDNIGHT, MIDNIGHT + DAY - 0.001, MIDNIGHT + DAY)
    runs = [ended_run(stores, at, str(number)) for number, at in enumerate(edges)]

    assert {row.cells["dag_run_id"] for row in rows(stores, ArchivedTable.RUNS)} == {
        run.dag_run_id for run in runs[1:3]
    }


def test_no_file_has_tokens_of_callbacks(stores: Stores) -> None:
    """Files of the archive have more readers than the table."""
    ended_run(stores, 5)

    assert "of a callback" not in str(archived(stores)[RecordKind.DAG_RUNS].cells["record"])
