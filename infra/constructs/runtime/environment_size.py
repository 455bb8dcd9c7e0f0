"""Bytes of a function's variables, counted before a deployment: Lambda takes 4 KB of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import Stack

from infra.constructs.runtime.scheduler_function import SchedulerFunction

#: Names and values together (Lambda quotas).
MOST_BYTES = 4_096
#: The longest values of what is known at deployment.
_PSEUDO = {"AWS::Partition": 10, "AWS::Region": 14, "AWS::AccountId": 12, "AWS::URLSuffix": 16}
#: An address of a queue and an ARN of a role have a few more bytes, names of tables fewer.
_REFERENCE = 80
#: Client ids of Cognito, which a list may have by the dozen.
CLIENT_ID = 26
_SHOWN = 3


class EnvironmentTooLarge(ValueError):
    """Choices of the stage make a function's variables larger than Lambda takes."""

    code = "environment_too_large"

    def __init__(self, function: str, sizes: Mapping[str, int]) -> None:
        largest = sorted(sizes.items(), key=lambda each: -each[1])[:_SHOWN]
        shown = ", ".join(f"{name} ({size:,})" for name, size in largest)
        super().__init__(
            f"{self.code}: variables of function {function} have about {sum(sizes.values()):,}"
            f" bytes, and Lambda takes {MOST_BYTES:,}. The largest are {shown}. Name fewer targets,"
            " or cover them by a pattern, and make tenants at run time instead of naming them in"
            " tenants= (docs/operations/deploying.md)."
        )


def check_environments(
    functions: Sequence[SchedulerFunction], known: Mapping[str, int] | None = None
) -> None:
    """Raise ``EnvironmentTooLarge`` for a function that Lambda would refuse.

    ``known``: bytes of what a reference stands for, by logical id, where they are known.
    """
    for each in functions:
        sizes = variable_sizes(each, known or {})
        if sum(sizes.values()) > MOST_BYTES:
            raise EnvironmentTooLarge(each.name, sizes)


def variable_sizes(function: SchedulerFunction, known: Mapping[str, int]) -> dict[str, int]:
    """Return the bytes of each variable with its name; references count as about their values."""
    variables = Stack.of(function).resolve(function.variables)
    return {name: len(name) + _bytes(value, known) for name, value in variables.items()}


def _bytes(value: Any, known: Mapping[str, int]) -> int:  # noqa: ANN401 - any JSON value
    if isinstance(value, str):
        return len(value.encode())
    if "Fn::Join" in value:
        glue, parts = value["Fn::Join"]
        between = len(glue.encode()) * (len(parts) - 1)
        return between + sum(_bytes(part, known) for part in parts)
    named = str(value.get("Ref", ""))
    return known.get(named, _PSEUDO.get(named, _REFERENCE))
