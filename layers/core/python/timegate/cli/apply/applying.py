"""Applying: declarations are compared with the stage, shown, agreed to and carried out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

import typer

from timegate.cli.apply.instants import with_instants
from timegate.cli.apply.wording import done_line, done_view, planned_lines, planned_view
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.failures import EXIT_DIFFERENT, EXIT_REFUSED, say_error
from timegate.cli.terminal.session import Session
from timegate.declaring.declarations import Declaration
from timegate.declaring.plan import ApplyStep, StepResult, Verb, carry_out, plan
from timegate.declaring.stage import Stage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ApplyPlan:
    """Steps of one set of declarations on one stage."""

    stage: Stage
    steps: Sequence[ApplyStep]

    @property
    def is_different(self) -> bool:
        """Something is to be done."""
        return any(step.verb is not Verb.KEEP for step in self.steps)

    @property
    def ends_everything(self) -> bool:
        """Everything of the set would end, and only other things would be there."""
        verbs = {step.verb for step in self.steps}
        return Verb.PRUNE in verbs and verbs <= {Verb.PRUNE, Verb.CREATE}


def planned(
    opening: Session, documents: list[Declaration], files: str, *, prune: bool, days: int
) -> ApplyPlan:
    """Compare declarations with what the stage has of the set; raises ``ClientError``."""
    stage = Stage.read(opening.client, files, documents)
    steps = plan(stage, documents, prune=prune)
    return ApplyPlan(stage=stage, steps=with_instants(stage, steps, days=days))


def show_plan(opening: Session, found: ApplyPlan) -> None:
    """Print each step, for people or programs."""
    if opening.wants_data:
        opening.show(planned_view(found.steps), lambda _: "")
        return
    for line in planned_lines(found.steps):
        typer.echo(line)
    if found.ends_everything:
        typer.echo(f"Everything of the set {found.stage.files} would end: that takes --replace.")


def exit_if_different(found: ApplyPlan) -> None:
    """Exit with 5 if anything is to be done."""
    if found.is_different:
        raise typer.Exit(EXIT_DIFFERENT)


def refuse_problems(found: ApplyPlan) -> None:
    """Exit with 1 if a declaration is wrong, before anything is changed."""
    wrong = [step for step in found.steps if step.problems]
    if wrong:
        problems = tuple(
            replace(each, field=f"{step.key} {each.field}")
            for step in wrong
            for each in step.problems
        )
        named = ", ".join(step.key for step in wrong)
        say_error("invalid_documents", f"Nothing was changed; see {named}.", problems)
        raise typer.Exit(EXIT_REFUSED)


def apply_plan(
    opening: Session, found: ApplyPlan, sure: YesOption, *, dry_run: bool, replace: bool
) -> None:
    """Show the steps, ask, and do them; exits as ``timegate apply`` says.

    ``replace``: everything of the set may end, and nothing of it stay.
    """
    if dry_run or not opening.wants_data:
        show_plan(opening, found)
    refuse_problems(found)
    if dry_run:
        exit_if_different(found)
        return
    if found.ends_everything and not replace:
        _refuse_replacement(found)
    if found.is_different:
        sure.agree("Apply this?")
    results = []
    for done in carry_out(found.stage, list(found.steps)):
        results.append(done)
        if not opening.wants_data and done.step.verb is not Verb.KEEP:
            typer.echo(done_line(done))
    if opening.wants_data:
        opening.show(done_view(results), lambda _: "")
    _refuse_failures(results)


def _refuse_replacement(found: ApplyPlan) -> NoReturn:
    detail = (
        f"Everything of the set {found.stage.files} would end. Is the set another one's? Name"
        " yours with --set; --replace ends it."
    )
    say_error("set_of_others", detail)
    raise typer.Exit(EXIT_REFUSED)


def _refuse_failures(results: Sequence[StepResult]) -> None:
    failed = [each for each in results if each.error is not None or each.missing]
    if failed:
        detail = f"{len(failed)} of {len(results)} could not be done; apply again finishes it."
        say_error("not_applied", detail)
        raise typer.Exit(EXIT_REFUSED)
