"""Steps of a checkup that hold an AWS account against a stage's settings."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import typer

from timegate.cli.admin.checkout import in_checkout
from timegate.cli.doctor.checkup import Checkup, StepEnded, StepOutcome

if TYPE_CHECKING:
    from infra.admin.account.comparison import Comparison


def compare_account(checkup: Checkup, stage: str, context: Sequence[str]) -> None:
    """Take a step for each number; raises ``Exit`` without access to AWS or a checkout."""
    given = dict(map(_pair, context))
    with in_checkout():
        from infra.admin.account.checkup import comparisons  # noqa: PLC0415 - of the checkout

        found = comparisons(stage, given)
    for each in found:
        checkup.step(each.subject, partial(_judged, each))


def _judged(comparison: "Comparison") -> str:
    if comparison.is_enough:
        return comparison.detail
    is_worse = not comparison.is_deployable
    raise StepEnded(
        StepOutcome.PROBLEM if is_worse else StepOutcome.WARNING,
        comparison.detail,
        comparison.remedy,
    )


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        message = f"{text!r} is no KEY=VALUE."
        raise typer.BadParameter(message, param_hint="--context")
    return name, value
