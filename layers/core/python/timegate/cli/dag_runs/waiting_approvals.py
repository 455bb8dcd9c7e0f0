"""``timegate dags approvals | approve-all | reject-all``: approvals of all runs of DAGs."""

from collections.abc import Sequence
from functools import cache, partial
from typing import Annotated, Any, Literal

import typer
from rich.console import Group, RenderableType

from timegate.cli.completing.stage_names import complete_asking, complete_dags
from timegate.cli.dag_runs.approval_links import dags
from timegate.cli.dag_runs.dag_interventions import Note
from timegate.cli.dags.commands import DagId
from timegate.cli.showing.grids import Column, listing
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.wording import clipped, plain
from timegate.client import JsonObject
from timegate.client.errors import Conflict, NotAllowed, NotFound
from timegate.client.schemas import TaskDecision

#: The same command as that of definitions, which this adds to.
__all__ = ["dags"]

Decision = Literal["approve", "reject"]
OfTask = Annotated[
    str | None,
    typer.Option(
        "--task",
        metavar="TASK",
        autocompletion=complete_asking,
        help="Take only tasks of this key.",
    ),
]


@dags.command("approvals")
@grouped
def approvals(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    dag_id: Annotated[
        str | None,
        typer.Option(
            "--dag", metavar="DAG_ID", autocompletion=complete_dags, help="List those of one DAG."
        ),
    ] = None,
    task: OfTask = None,
) -> None:
    """List the approvals that wait, of all DAG runs, the latest first."""
    with opened(ctx, session) as opening:
        found = page.read(opening.client.list_approvals, dag_id=dag_id, task_key=task)
        opening.show(found, approval_table)


def _add_deciding(decision: Decision) -> None:
    """Add the command that decides all so."""

    def decide_all(
        ctx: typer.Context,
        dag_id: DagId,
        sure: EndOptions,
        session: SessionOptions,
        task: OfTask = None,
        note: Note = None,
    ) -> None:
        with opened(ctx, session) as opening:
            _decide_all(opening, sure, (dag_id, task), decision, note)

    help_text = f"{decision.capitalize()} all that wait of a DAG; exits with 1 if one is refused."
    dags.command(f"{decision}-all", help=help_text)(grouped(decide_all))


_add_deciding("approve")
_add_deciding("reject")


def approval_table(page: JsonObject) -> RenderableType:
    """Approvals that wait."""
    columns: dict[str, Column] = {
        "dag": lambda each: clipped(plain(each["dag_name"] or each["dag_id"])),
        "task": lambda each: plain(each["task_key"]),
        "round": lambda each: plain(each["round"]),
        "since (UTC)": lambda each: moment(each["since"]),
        "until (UTC)": lambda each: moment(each["until"]),
        "dag_run_id": lambda each: plain(each["dag_run_id"]),
    }
    return listing(page, columns, "Nothing waits for an approval.", spare=("round",))


def _decide_all(
    opening: Session,
    sure: EndOptions,
    which: tuple[str, str | None],
    decision: Decision,
    note: str | None,
) -> None:
    # All of them, once, before the first decision: a page must not move beneath it.
    found = cache(partial(_waiting, opening, *which))
    question = f"{decision.capitalize()} {{}} of DAG {which[0]}?"
    if not sure.goes_on(
        opening, found, approval_table, lambda page: question.format(len(page["items"]))
    ):
        return
    rows = found()["items"]
    refused = _decided(opening, rows, decision, note)
    done: dict[str, Any] = {
        "decision": decision,
        "decided": len(rows) - len(refused),
        "refused": refused,
    }
    opening.show(done, _outcome)
    if refused:
        raise typer.Exit(EXIT_REFUSED)


def _waiting(opening: Session, dag_id: str, task: str | None) -> JsonObject:
    """Every approval of a DAG, or of one task of it, that waits."""
    rows = opening.client.list_approvals.iterate(dag_id=dag_id, task_key=task, limit=100)
    return {"items": list(rows), "next_cursor": None}


def _decided(
    opening: Session,
    rows: Sequence[JsonObject],
    decision: Decision,
    note: str | None,
) -> list[dict[str, Any]]:
    """Decide each in the round in which it was listed; those that were refused, and why."""
    refused: list[dict[str, Any]] = []
    for row in rows:
        body: TaskDecision = {"decision": decision, "round": row["round"]}
        if note is not None:
            body["note"] = note
        try:
            opening.client.decide_dag_task(row["dag_run_id"], row["task_key"], body)
        except (Conflict, NotAllowed, NotFound) as error:
            refused.append({**row, "code": error.code, "detail": error.detail})
    return refused


def _outcome(done: JsonObject) -> RenderableType:
    verb = "approved" if done["decision"] == "approve" else "rejected"
    head = f"{done['decided']} {verb}, {len(done['refused'])} refused."
    if not done["refused"]:
        return head
    columns: dict[str, Column] = {
        "dag_run_id": lambda each: plain(each["dag_run_id"]),
        "task": lambda each: plain(each["task_key"]),
        "refused": lambda each: plain(each["detail"]),
    }
    return Group(head, "", listing({"items": done["refused"], "next_cursor": None}, columns, ""))
