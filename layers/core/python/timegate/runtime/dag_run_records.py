"""Wiring of the records of DAG runs."""

from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_writes import AuditWrites
from timegate.adapters.dynamo.dag_run_store import DynamoDagRunStore
from timegate.ports.audit_trail import Trail
from timegate.ports.shards import Spread
from timegate.runtime.settings import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def dag_run_store(
    tables: Tables,
    dynamodb: "DynamoDBClient",
    spread: Spread,
    trail: Trail | None = None,
) -> DynamoDagRunStore:
    """The records of DAG runs."""
    return DynamoDagRunStore(
        dynamodb,
        table=tables.runs,
        shards=spread,
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )
