"""Steps of a checkup that hold an AWS account against a stage's settings."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from timegate.cli.admin.checkout import in_checkout
from timegate.cli.completing.checkout_words import complete_context, complete_stages
from timegate.cli.doctor.checkup import Checkup, StepEnded, StepOutcome
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from infra.admin.account.comparison import Comparison


@dataclass(frozen=True, kw_only=True, slots=True)
class AccountOptions:
    """Says if an account is compared, and with which stage."""

    aws: Annotated[
        bool,
        typer.Option(
            "--aws",
            help="Ask AWS for the account's quotas instead, and compare them with a stage's"
            " settings, before its first deployment or after one.",
        ),
    ] = False
    stage: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_stages,
            help="Choose the stage, for --aws.",
        ),
    ] = "prod"
    context: Annotated[
        list[str] | None,
        typer.Option(
            "--context",
            "-c",
            metavar="KEY=VALUE",
            autocompletion=complete_context,
            help="Give it as cdk deploy is given it, for --aws; may be repeated.",
        ),
    ] = None


def compare_account(checkup: Checkup, options: AccountOptions) -> None:
    """Take a step for each number; raises ``Exit`` without access to AWS or a checkout."""
    given = dict(map(_pair, options.context or ()))
    with in_checkout():
        from infra.admin.account.checkup import comparisons  # noqa: PLC0415 - of the checkout

        found = comparisons(options.stage, given)
    for each in found:
        checkup.step(each.subject, partial(_judged, each))


def _judged(comparison: "Comparison") -> str:
    if comparison.is_enough:
        return comparison.detail
    outcome = StepOutcome.PROBLEM if comparison.is_needed else StepOutcome.WARNING
    raise StepEnded(outcome, comparison.detail, comparison.remedy)


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        message = f"{text!r} is no KEY=VALUE."
        raise typer.BadParameter(message, param_hint="--context")
    return name, value
