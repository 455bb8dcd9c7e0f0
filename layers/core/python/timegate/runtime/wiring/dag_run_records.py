"""Wiring of the records of DAG runs."""

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.ports.dispatch.shards import Spread
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime.settings import Tables


def dag_run_store(
    tables: Tables,
    engine: Engine,
    spread: Spread,
    trail: Trail | None = None,
) -> DynamoDagRunStore:
    """The records of DAG runs."""
    return DynamoDagRunStore(
        engine,
        table=tables.runs,
        shards=spread,
        retention_days=tables.run_retention_days,
        audit=AuditWrites(trail, table=tables.jobs),
    )
