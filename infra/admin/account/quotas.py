"""Quotas of an account, and the throughput of a stage's tables, as AWS tells."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import boto3
from botocore.exceptions import ClientError

from infra.preflight.deployed import output_values, reserved_of
from infra.stage.given.choices import CHOICES_OUTPUT, read_choices
from infra.stage.settings import FUNCTION_NAMES

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Outputs of the data stack that name a table.
_TABLES = ("JobsTableName", "RunsTableName")


@dataclass(frozen=True, kw_only=True)
class AccountQuotas:
    """Numbers of an account, in one region."""

    #: Concurrent executions of Lambda.
    executions: int
    #: Those that no function of any other stage or program has to itself.
    executions_free: int
    #: Units a second of one DynamoDB table.
    table_writes: int
    table_reads: int
    #: Requests a second of all APIs together, and how many may come at once.
    api_rate: float
    api_burst: int
    #: Write units a second that each deployed table serves at once; empty before a deployment.
    warm_writes: Mapping[str, int]


class AccountReader:
    """Asks AWS about the account of the credentials; changes nothing."""

    def __init__(self, session: boto3.Session) -> None:
        self._lambdas = session.client("lambda")
        self._dynamodb = session.client("dynamodb")
        self._gateway = session.client("apigateway")
        self._formation = session.client("cloudformation")

    def outputs(self, stage: str) -> dict[str, str]:
        """Read the outputs of a stage's data stack; none where it is not deployed."""
        return output_values(self._formation, f"Timegate-{stage}-Data")

    def quotas(self, stage: str, outputs: Mapping[str, str]) -> AccountQuotas:
        """Read all numbers that a stage is held against."""
        executions = self._lambdas.get_account_settings()["AccountLimit"]
        ours = sum(
            reserved_of(self._lambdas, f"timegate-{stage}-{name}") for name in FUNCTION_NAMES
        )
        tables = self._dynamodb.describe_limits()
        throttle = self._gateway.get_account()["throttleSettings"]
        return AccountQuotas(
            executions=executions["ConcurrentExecutions"],
            executions_free=executions["UnreservedConcurrentExecutions"] + ours,
            table_writes=tables["TableMaxWriteCapacityUnits"],
            table_reads=tables["TableMaxReadCapacityUnits"],
            api_rate=throttle["rateLimit"],
            api_burst=throttle["burstLimit"],
            warm_writes={
                outputs[name]: _warm_writes(self._dynamodb, outputs[name])
                for name in _TABLES
                if name in outputs
            },
        )


def recorded_choices(outputs: Mapping[str, str]) -> dict[str, str]:
    """Read the choices of the last deployment; long ones are recorded by digest and left out."""
    choices = read_choices(outputs.get(CHOICES_OUTPUT, "{}"))
    return {name: value for name, value in choices.items() if not value.startswith("sha256:")}


def _warm_writes(dynamodb: "DynamoDBClient", table: str) -> int:
    try:
        found = dynamodb.describe_table(TableName=table)["Table"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ResourceNotFoundException":
            return 0
        raise
    return found.get("WarmThroughput", {}).get("WriteUnitsPerSecond", 0)
