"""An intervention that a DAG run cannot take is refused with its field and code."""

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.support.dag_runs.dag_interventions import asked
from tests.support.dag_runs.dag_world import DagWorld
from tests.unit.domain.dags.definitions import dag, tasks
from timegate.domain.dag_runs.progress import MAX_ROUNDS, DagRunStatus, InterventionKind
from timegate.domain.dag_runs.run_errors import (
    DagRunIsBusy,
    TaskHasEnded,
    TaskNotFound,
    TaskNotStarted,
    TooManyRounds,
)
from timegate.domain.dags.definition import DagStatus, FailurePolicy
from timegate.domain.dags.errors import DagIsDeleted
from timegate.domain.runs.run import RunState
from timegate.domain.runs.run_result import MAX_RESULT_BYTES
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId, TaskKey

CHAIN = dag(tasks("a", "b", "c"), "a -> b", "b -> c")
COMPLETE, SKIP, RERUN, *_ = InterventionKind


def failing(*keys: str, rounds: int = 99) -> Callable[[TaskKey, int, int], RunState]:
    """Runs of these tasks fail in the first rounds, all others succeed."""
    return lambda key, number, _: (
        RunState.FAILED if key in keys and number <= rounds else RunState.SUCCEEDED
    )


def test_a_long_result_is_kept_aside_and_one_that_is_too_long_is_refused() -> None:
    """An operator's result obeys a run's limit, which is inclusive."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    whole = json.dumps("x" * (MAX_RESULT_BYTES - 2))
    with pytest.raises(InvalidInput) as refused:
        asked(dag_world, run, "a", COMPLETE, result=json.dumps("x" * (MAX_RESULT_BYTES - 1)))
    kept = asked(dag_world, run, "a", COMPLETE, result=whole).progress.stored_result

    assert (refused.value.field, refused.value.code) == ("result", "too_long")
    assert kept is not None
    assert dag_world.world.blobs.get(kept.blob) == whole


def test_what_cannot_be_is_refused_by_name() -> None:
    """An unknown task, one that ended so, one that never ran, a run that is being put back."""
    dag_world = DagWorld()
    run = dag_world.start(CHAIN)
    with pytest.raises(TaskNotFound):
        asked(dag_world, run, "z", SKIP)
    with pytest.raises(TaskNotStarted):
        asked(dag_world, run, "b", RERUN)
    dag_world.play(run, failing())
    for kind in (COMPLETE, SKIP):
        with pytest.raises(TaskHasEnded):
            asked(dag_world, run, "a", kind)
    asked(dag_world, run, "a", RERUN)
    with pytest.raises(DagRunIsBusy):
        asked(dag_world, run, "b", RERUN)


def test_a_deleted_dag_is_not_opened_again_but_its_runs_can_be_helped() -> None:
    """Nothing of it starts any more but what has begun."""
    dag_world = DagWorld()
    own = dag(CHAIN.tasks, edges=CHAIN.edges, failure_policy=FailurePolicy.CONTINUE)
    going, ended = dag_world.start(own, key="going"), dag_world.start(own, key="ended")
    for each in [w for w in dag_world.waiting() if w.id.run.job_id == JobId(ended.dag_run_id)]:
        dag_world.hear(dag_world.finish(each, RunState.FAILED))
    dag_world.add(dag(CHAIN.tasks, edges=CHAIN.edges, version=2, status=DagStatus.DELETED))
    for kind in InterventionKind:
        with pytest.raises(DagIsDeleted):
            asked(dag_world, ended, "a", kind)

    assert asked(dag_world, going, "a", COMPLETE).progress.state == "succeeded"


def test_a_run_has_as_many_rounds_as_ids_can_name() -> None:
    """And then no more."""
    dag_world = DagWorld()
    run = dag_world.start(dag(tasks("a")))
    dag_world.play(run, failing())
    tables = dag_world.world.tables
    key = (run.tenant, run.dag_run_id)
    tables.dag_runs[key] = replace(tables.dag_runs[key], round=MAX_ROUNDS - 1)
    last = asked(dag_world, run, "a", RERUN).run.round
    dag_world.follow()

    assert last == MAX_ROUNDS
    assert dag_world.play(run, failing()).status is DagRunStatus.SUCCEEDED
    with pytest.raises(TooManyRounds):
        asked(dag_world, run, "a", RERUN)
