"""Following a DAG run until it has ended."""

from collections.abc import Iterator

import typer
from rich.live import Live

from timegate.cli.dag_runs.dag_run_tables import dag_run_details
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED, say_error
from timegate.cli.terminal.session import Session, drawn, terminal
from timegate.cli.terminal.watching import Patience
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.dag_runs.progress import DagRunStatus

#: Between two looks at a DAG run.
INTERVAL_SECONDS = 1.0


def follow_dag_run(
    opening: Session,
    dag_run_id: str,
    *,
    timeout_seconds: float | None,
    interval_seconds: float = INTERVAL_SECONDS,
) -> None:
    """Show a DAG run until it has ended; exits with 4 unless it succeeded."""
    patience = Patience.of(opening, timeout_seconds, interval_seconds)
    last = _look_on(opening, dag_run_id, patience)
    if last["ended_at"] is None:
        say_error("not_ended", f"{dag_run_id} has not ended within {timeout_seconds} s.")
    if last["status"] != DagRunStatus.SUCCEEDED:
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _look_on(opening: Session, dag_run_id: str, patience: Patience) -> JsonObject:
    looks = _looks(opening, dag_run_id, patience)
    console = terminal()
    if opening.wants_data:
        last = [*looks][-1]
        opening.show(last, dag_run_details)
        return last
    last = next(looks)
    if not console.is_terminal:
        return _say_changes(last, looks)
    with Live(console=console, auto_refresh=False, transient=True) as live:
        live.update(drawn(last, dag_run_details), refresh=True)
        for last in looks:
            live.update(drawn(last, dag_run_details), refresh=True)
    opening.show(last, dag_run_details)
    return last


def _looks(opening: Session, dag_run_id: str, patience: Patience) -> Iterator[JsonObject]:
    """The DAG run as it is at each look, ended last; at least one."""
    while True:
        run: JsonObject = opening.client.get_dag_run(dag_run_id)
        yield run
        if run["ended_at"] is not None or not patience.wait():
            return


def _say_changes(first: JsonObject, looks: Iterator[JsonObject]) -> JsonObject:
    """A line for every task that is not as it was, and for the DAG run."""
    known: dict[str, str] = {}
    last = first
    for line in _lines(first, known):
        typer.echo(line)
    for last in looks:
        for line in _lines(last, known):
            typer.echo(line)
    return last


def _lines(run: JsonObject, known: dict[str, str]) -> Iterator[str]:
    for task in run["tasks"]:
        why = f" ({task['reason']})" if task["reason"] is not None else ""
        now = f"{task['state']}, round {task['round']}{why}"
        begun = task["state"] != "pending" or task["key"] in known
        if begun and known.get(task["key"]) != now:
            known[task["key"]] = now
            at = task["ended_at"] or task["started_at"]
            yield plain(f"{moment(at)} {task['key']} {now}")
    now = f"{run['status']}, {run['ended_count']} of {run['task_count']} tasks"
    if known.get("") != now:
        known[""] = now
        yield plain(f"{moment(run['ended_at'] or run['created_at'])} {now}")
