"""``timegate apply`` and ``timegate diff``."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from timegate.cli.apply.documents import read_documents
from timegate.cli.apply.instants import with_instants
from timegate.cli.apply.plan import Done, Step, Verb, carry_out, plan
from timegate.cli.apply.stage import Stage
from timegate.cli.apply.wording import done_line, done_view, planned_lines, planned_view
from timegate.cli.previews.edit_previews import MAX_DAYS
from timegate.cli.terminal.failures import EXIT_DIFFERENT, EXIT_REFUSED, say_error
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.wording import plain


@dataclass(frozen=True, kw_only=True, slots=True)
class DeclaredOptions:
    """Files of declarations, and how things outside of them are treated."""

    file: Annotated[
        list[str] | None,
        typer.Option("--file", "-f", metavar="PATH|DIR|-", help="YAML or JSON; may be repeated."),
    ] = None
    files: Annotated[
        str, typer.Option("--set", metavar="NAME", help="Whose things these files declare.")
    ] = "default"
    prune: Annotated[
        bool, typer.Option("--prune", help="End what files of this set declared, and no longer do.")
    ] = False
    days: Annotated[
        int,
        typer.Option(
            "--days",
            min=0,
            max=MAX_DAYS,
            metavar="N",
            help="Show which instants jobs gain, lose and move within so many days; 0: none.",
        ),
    ] = 7


@grouped
def diff(ctx: typer.Context, declared: DeclaredOptions, session: SessionOptions) -> None:
    """Show what apply would do; exits with 0 if nothing, with 5 if something."""
    with opened(ctx, session) as opening:
        _, steps = _planned(opening, declared)
        _show_plan(opening, steps)
        _refuse_problems(steps)
    _exit_if_different(steps)


@grouped
def apply(
    ctx: typer.Context,
    declared: DeclaredOptions,
    session: SessionOptions,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="As timegate diff.")] = False,
) -> None:
    """Make calendars, jobs and DAGs what files declare, after showing what that changes.

    timegate apply -f schedules/ --prune
    """
    with opened(ctx, session) as opening:
        stage, steps = _planned(opening, declared)
        if dry_run or not session.wants_data:
            _show_plan(opening, steps)
        _refuse_problems(steps)
        if dry_run:
            _exit_if_different(steps)
            return
        _confirm(steps, yes=yes)
        results = []
        for done in carry_out(stage, steps):
            results.append(done)
            if not session.wants_data and done.step.verb is not Verb.KEEP:
                typer.echo(done_line(done))
        if session.wants_data:
            opening.show(done_view(results), lambda _: "")
    _refuse_failures(results)


def _planned(opening: Session, declared: DeclaredOptions) -> tuple[Stage, list[Step]]:
    if not declared.file:
        message = "Name a file or a folder with -f."
        raise typer.BadParameter(message)
    documents = read_documents(declared.file)
    stage = Stage.read(opening.client, declared.files, documents)
    steps = plan(stage, documents, prune=declared.prune)
    return stage, with_instants(stage, steps, days=declared.days)


def _show_plan(opening: Session, steps: Sequence[Step]) -> None:
    if opening.wants_data:
        opening.show(planned_view(steps), lambda _: "")
        return
    for line in planned_lines(steps):
        typer.echo(line)


def _refuse_problems(steps: Sequence[Step]) -> None:
    """Before anything is changed."""
    wrong = [plain(step.key) for step in steps if step.problems]
    if wrong:
        say_error("invalid_documents", f"Nothing was changed; see {', '.join(wrong)}.")
        for step in steps:
            for each in step.problems:
                field = f"{plain(step.key)} {plain(each.field)}"
                typer.echo(f"  {field} [{plain(each.code)}]: {plain(each.detail)}", err=True)
        raise typer.Exit(EXIT_REFUSED)


def _confirm(steps: Sequence[Step], *, yes: bool) -> None:
    if yes or not _is_different(steps):
        return
    if not sys.stdin.isatty():
        message = "Nobody can be asked here: --yes applies it."
        raise typer.BadParameter(message)
    typer.confirm("Apply this?", abort=True)


def _is_different(steps: Sequence[Step]) -> bool:
    return any(step.verb is not Verb.KEEP for step in steps)


def _exit_if_different(steps: Sequence[Step]) -> None:
    if _is_different(steps):
        raise typer.Exit(EXIT_DIFFERENT)


def _refuse_failures(results: Sequence[Done]) -> None:
    failed = [each for each in results if each.error is not None or each.missing]
    if failed:
        detail = f"{len(failed)} of {len(results)} could not be done; apply again finishes it."
        say_error("not_applied", detail)
        raise typer.Exit(EXIT_REFUSED)
