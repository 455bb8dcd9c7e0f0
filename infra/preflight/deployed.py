"""The stage that is deployed, and its account, as AWS tells."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from infra.stage.given.choices import CHOICES_OUTPUT, read_choices

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import OutputTypeDef
    from mypy_boto3_lambda import LambdaClient


@dataclass(frozen=True, kw_only=True)
class Deployed:
    """The deployed state that a deployment would change."""

    #: Empty where nothing is deployed, or by a version that recorded none.
    choices: Mapping[str, str]
    #: The stacks that import each export of the stage.
    imports: Mapping[str, frozenset[str]]
    #: Environments that the stage may set aside: what is unreserved, and what it has.
    available: int
    #: Keys of the stacks' outputs.
    outputs: frozenset[str] = frozenset()

    @property
    def exists(self) -> bool:
        """Tell if the stage is deployed: its data are exported, and imported or not."""
        return bool(self.imports)


def read_deployed(
    stacks: Sequence[str],
    functions: Sequence[str],
    formation: "CloudFormationClient",
    lambdas: "LambdaClient",
) -> Deployed:
    """Ask AWS; changes nothing."""
    outputs = [each for name in stacks for each in _outputs(formation, name)]
    recorded = [o["OutputValue"] for o in outputs if o["OutputKey"] == CHOICES_OUTPUT]
    exports = [each["ExportName"] for each in outputs if "ExportName" in each]
    limits = lambdas.get_account_settings()["AccountLimit"]
    ours = sum(reserved_of(lambdas, name) for name in functions)
    return Deployed(
        choices=read_choices(recorded[0]) if recorded else {},
        imports={name: frozenset(_importers(formation, name)) for name in exports},
        available=limits["UnreservedConcurrentExecutions"] + ours,
        outputs=frozenset(each["OutputKey"] for each in outputs),
    )


def _outputs(formation: "CloudFormationClient", stack: str) -> "list[OutputTypeDef]":
    try:
        (found,) = formation.describe_stacks(StackName=stack)["Stacks"]
    except ClientError as error:
        if _is(error, "ValidationError"):
            return []
        raise
    return found.get("Outputs", [])


def output_values(formation: "CloudFormationClient", stack: str) -> dict[str, str]:
    """Read a stack's outputs by their keys; none where it is not deployed."""
    return {each["OutputKey"]: each["OutputValue"] for each in _outputs(formation, stack)}


def _importers(formation: "CloudFormationClient", export: str) -> Iterator[str]:
    """Every stack that imports it; AWS answers ``ValidationError`` where there is none."""
    try:
        for page in formation.get_paginator("list_imports").paginate(ExportName=export):
            yield from page["Imports"]
    except ClientError as error:
        if not _is(error, "ValidationError"):
            raise


def reserved_of(lambdas: "LambdaClient", function: str) -> int:
    """Read what a function has to itself; 0 where it has nothing, or is not deployed."""
    try:
        found = lambdas.get_function_concurrency(FunctionName=function)
    except ClientError as error:
        if _is(error, "ResourceNotFoundException"):
            return 0
        raise
    return found.get("ReservedConcurrentExecutions", 0)


def _is(error: ClientError, code: str) -> bool:
    return error.response["Error"]["Code"] == code
