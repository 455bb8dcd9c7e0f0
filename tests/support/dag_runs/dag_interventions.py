"""Operators who interfere with DAG runs, on tables in memory."""

from collections.abc import Collection
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal, cast

from tests.support.dag_runs.dag_world import DagWorld
from tests.support.execution.overlapping import Interrupted, Script
from timegate.domain.dag_runs.intervening import RerunScope
from timegate.domain.dag_runs.progress import DagRun, InterventionKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import TaskKey
from timegate.usecases.dag_runs.interventions.intervene import (
    Intervened,
    InterventionRequest,
    intervene,
)
from timegate.usecases.dag_runs.interventions.steer_dag_run import retry_dag_run

if TYPE_CHECKING:
    from timegate.usecases.services.api_services import ApiServices


def asked(  # noqa: PLR0913 - a request has so many parts
    dag_world: DagWorld,
    run: DagRun,
    key: TaskKey | str,
    kind: InterventionKind,
    *,
    scope: RerunScope = RerunScope.BRANCH,
    name: str | None = None,
    result: str | None = None,
    members: Collection[int] | Literal["failed"] | None = None,
    script: Script | None = None,
    by: str = "operator",
) -> Intervened:
    """Carry out an operator's request, which a script may interrupt."""
    world = dag_world.world
    store = Interrupted(world.dag_runs, script) if script is not None else world.dag_runs
    services = SimpleNamespace(
        dags=dag_world.dags,
        dag_runs=store,
        jobs=world.jobs,
        runs=world.runs,
        blobs=world.blobs,
        telemetry=world.telemetry,
    )
    request = InterventionRequest(
        tenant=run.tenant,
        dag_run_id=run.dag_run_id,
        key=TaskKey(key),
        kind=kind,
        by=by,
        idempotency_key=name,
        scope=scope,
        result=result,
        members=members if isinstance(members, str | None) else frozenset(members),
    )
    return intervene(request, cast("ApiServices", services), now=world.clock.now())


def begin(dag_world: DagWorld, attempt: Attempt) -> Attempt:
    """Some worker is at it: it can only be asked to stop."""
    if attempt.state is RunState.RUNNING:
        return attempt
    now = dag_world.world.clock.now()
    begun = replace(attempt, state=RunState.RUNNING, fence=1, started_at=now)
    assert dag_world.world.runs.replace(attempt, begun)
    return begun


def retry(dag_world: DagWorld, run: DagRun) -> None:
    """An operator has what failed run again."""
    world = dag_world.world
    services = SimpleNamespace(
        dags=dag_world.dags,
        dag_runs=world.dag_runs,
        jobs=world.jobs,
        runs=world.runs,
        blobs=world.blobs,
        telemetry=world.telemetry,
    )
    now = world.clock.now()
    retry_dag_run(run.tenant, run.dag_run_id, cast("ApiServices", services), now=now)
    dag_world.follow()
