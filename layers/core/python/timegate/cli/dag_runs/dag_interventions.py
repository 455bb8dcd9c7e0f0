"""``timegate dags complete | skip | rerun | approve | reject | signal``: tasks of DAG runs."""

import re
from typing import Annotated, Any, Literal, cast

import typer

from timegate.cli.completing.stage_names import complete_tasks
from timegate.cli.dag_runs.commands import DagRunId, asked_of_run
from timegate.cli.dag_runs.dag_run_tables import task_details
from timegate.cli.dags.commands import dags
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import json_value, key_option
from timegate.client.schemas import TaskCompletion, TaskDecision, TaskRerun, TaskSignal, TaskSkip
from timegate.domain.dag_runs.intervening import RerunScope

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]

_RANGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?", re.ASCII)

TaskKey = Annotated[str, typer.Argument(metavar="TASK", autocompletion=complete_tasks)]
Note = Annotated[str | None, typer.Option(metavar="TEXT", help="Keep this with the decision.")]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="Keep this with the task.")]


def _read_members(text: str) -> list[int] | Literal["failed"]:
    """``failed``, or numbers and ranges of them: ``3,17-19``."""
    if text == "failed":
        return "failed"
    found: set[int] = set()
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            message = f"{text!r} names no members; write failed, 3, or 3,17-19."
            raise typer.BadParameter(message)
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            message = f"{part.strip()!r} ends before it begins; write {last}-{first}."
            raise typer.BadParameter(message)
        found.update(range(first, last + 1))
    return sorted(found)


#: In a dictionary: a list that is read would be taken for many options.
Members = Annotated[
    dict[str, Any] | None,
    typer.Option(
        parser=lambda text: {"members": _read_members(text)},
        metavar="NUMBERS",
        help="Take these members of a fan-out alone, such as 3,17-19, or failed ones: failed.",
    ),
]
Key = Annotated[str | None, key_option(help="Let a repeated command with this key repeat nothing.")]


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
            help="Let references find this as its result.",
        ),
    ] = None,
    members: Members = None,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Say that a task, or a member of it, has succeeded: stuck, failed, or skipped before."""
    said: dict[str, Any] = {**_asked(reason, members), **(result or {})}
    body = cast("TaskCompletion", said)
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
    sure: EndOptions,
    session: SessionOptions,
    members: Members = None,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Say that a task, or a member of it, is not to be run; what it runs is cancelled."""
    with opened(ctx, session) as opening:
        if not asked_of_run(opening, sure, dag_run_id, f"Skip {task} of the DAG run"):
            return
        call = opening.client.skip_dag_task
        done = call(dag_run_id, task, _asked(reason, members), idempotency_key=idempotency_key)
        opening.show(done, task_details)


@dags.command("rerun")
@grouped
def rerun(  # noqa: PLR0917 - options
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    sure: EndOptions,
    session: SessionOptions,
    scope: Annotated[
        RerunScope,
        typer.Option(help="Run it with everything behind it, or with what came to nothing there."),
    ] = RerunScope.BRANCH,
    members: Members = None,
    reason: Reason = None,
    idempotency_key: Key = None,
) -> None:
    """Run a task, or members of it, again, and what is behind it; what has succeeded stays."""
    body: TaskRerun = {**_asked(reason, members), "scope": scope.value}
    with opened(ctx, session) as opening:
        if not asked_of_run(opening, sure, dag_run_id, f"Run again {task} of the DAG run"):
            return
        call = opening.client.rerun_dag_task
        done = call(dag_run_id, task, body, idempotency_key=idempotency_key)
        opening.show(done, task_details)


@dags.command("approve")
@grouped
def approve(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    note: Note = None,
    idempotency_key: Key = None,
) -> None:
    """Approve what a task waits for: the task succeeds."""
    _decide(ctx, session, (dag_run_id, task), _decision("approve", note), idempotency_key)


@dags.command("reject")
@grouped
def reject(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    sure: EndOptions,
    session: SessionOptions,
    note: Note = None,
    idempotency_key: Key = None,
) -> None:
    """Reject what a task waits for: the task fails."""
    with opened(ctx, session) as opening:
        if not asked_of_run(opening, sure, dag_run_id, f"Reject {task} of the DAG run"):
            return
    _decide(ctx, session, (dag_run_id, task), _decision("reject", note), idempotency_key)


@dags.command("signal")
@grouped
def signal(
    ctx: typer.Context,
    dag_run_id: DagRunId,
    task: TaskKey,
    session: SessionOptions,
    data: Annotated[
        dict[str, Any] | None,
        typer.Option(
            parser=lambda text: {"data": json_value(text)},
            metavar="JSON",
            help="Let references find this as its result.",
        ),
    ] = None,
    note: Note = None,
    idempotency_key: Key = None,
) -> None:
    """Give a task the data of the event that it waits for: the task succeeds."""
    said: dict[str, Any] = {**(data or {}), **({} if note is None else {"note": note})}
    with opened(ctx, session) as opening:
        call = opening.client.signal_dag_task
        body = cast("TaskSignal", said)
        opening.show(call(dag_run_id, task, body, idempotency_key=idempotency_key), task_details)


def _decide(
    ctx: typer.Context,
    session: SessionOptions,
    which: tuple[str, str],
    body: TaskDecision,
    key: str | None,
) -> None:
    with opened(ctx, session) as opening:
        call = opening.client.decide_dag_task
        opening.show(call(*which, body, idempotency_key=key), task_details)


def _decision(decision: Literal["approve", "reject"], note: str | None) -> TaskDecision:
    body: TaskDecision = {"decision": decision}
    return body if note is None else {**body, "note": note}


def _asked(reason: str | None, members: dict[str, Any] | None) -> TaskSkip:
    body: TaskSkip = {} if reason is None else {"reason": reason}
    if members is not None:
        body["members"] = members["members"]
    return body
