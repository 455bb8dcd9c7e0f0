"""``timegate dags complete | skip | rerun``: operators and the tasks of DAG runs."""

from typing import Annotated, Any

import typer

from timegate.cli.dag_run_tables import task_details
from timegate.cli.dag_runs import DagRunId
from timegate.cli.dags import dags
from timegate.cli.option_groups import grouped
from timegate.cli.session import SessionOptions, opened
from timegate.cli.values import header_text, json_value
from timegate.client.schemas import TaskCompletion, TaskRerun, TaskSkip
from timegate.domain.dag.intervening import RerunScope

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]

TaskKey = Annotated[str, typer.Argument(metavar="TASK")]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Kept with the task.")]
Key = Annotated[
    str | None,
    typer.Option(parser=header_text, metavar="KEY", help="Repeating the command repeats nothing."),
]


@dags.command("complete")
@grouped
def complete(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    result: Annotated[
        dict[str, Any] | None,
        typer.Option(
            parser=lambda text: {"result": json_value(text)},
            metavar="JSON",
            help="What references find as its result.",
        ),
    ] = None,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Say that a task has succeeded: one that is stuck, failed, or was skipped."""
    body: TaskCompletion = {} if reason is None else {"reason": reason}
    if result is not None:
        body["result"] = result["result"]
    with opened(ctx, session) as opening:
        call = opening.client.complete_dag_task
        done = call(dag_run_id, task, body, idempotency_key=idempotency_key)
        opening.show(done, task_details)


@dags.command("skip")
@grouped
def skip(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Say that a task is not to be run; what it runs is cancelled."""
    with opened(ctx, session) as opening:
        call = opening.client.skip_dag_task
        done = call(dag_run_id, task, _why(reason), idempotency_key=idempotency_key)
        opening.show(done, task_details)


@dags.command("rerun")
@grouped
def rerun(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    scope: Annotated[
        RerunScope,
        typer.Option(help="With everything behind it, or with what came to nothing there."),
    ] = RerunScope.BRANCH,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Run a task again, and what is behind it; what has succeeded elsewhere stays."""
    body: TaskRerun = {**_why(reason), "scope": scope.value}
    with opened(ctx, session) as opening:
        call = opening.client.rerun_dag_task
        done = call(dag_run_id, task, body, idempotency_key=idempotency_key)
        opening.show(done, task_details)


def _why(reason: str | None) -> TaskSkip:
    return {} if reason is None else {"reason": reason}
