"""Wiring of the API."""

from datetime import timedelta
from secrets import token_bytes

from timegate.adapters.dynamo.audit_trail.audit_store import DynamoAuditStore
from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.runs.log_store import DynamoLogStore
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.system_clock import SystemClock
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import ApiSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring.dag_run_records import dag_run_store
from timegate.runtime.wiring.dynamo_engine import dynamo_engine
from timegate.runtime.wiring.record_wiring import (
    dead_letter_store,
    opening,
    operation_store,
    scheduling,
)
from timegate.runtime.wiring.target_wiring import target_rules
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.request_rates import RequestRates
from timegate.usecases.services.tenants_at_hand import TenantsAtHand


def api_services() -> ApiServices:
    """Build the API; raises ``MissingSetting``."""
    settings = ApiSettings.read(environment())
    telemetry, tables = LambdaTelemetry(), settings.planning.tables
    blobs = S3BlobStore(clients.s3, settings.blob_bucket)
    trail = Trail(retention=settings.audit_retention)
    # Whoever asks for a job or a DAG run may be the first of the stage to do so.
    spread = opening(tables, dynamo_engine())
    audit = AuditWrites(trail, table=tables.jobs)
    tenants = DynamoTenantStore(
        dynamo_engine(),
        table=tables.jobs,
        retention_days=tables.run_retention_days,
        audit=audit,
    )
    return ApiServices(
        scheduling=scheduling(settings.planning, dynamo_engine(), telemetry, trail, spread),
        operations=operation_store(tables, dynamo_engine(), trail),
        dead_letters=dead_letter_store(tables, dynamo_engine(), trail),
        dags=DynamoDagStore(dynamo_engine(), table=tables.jobs, blobs=blobs, audit=audit),
        dag_runs=dag_run_store(tables, dynamo_engine(), spread, trail),
        blobs=blobs,
        logs=DynamoLogStore(
            dynamo_engine(), table=tables.runs, retention_days=tables.run_retention_days
        ),
        slots=DynamoSlotStore(dynamo_engine(), table=tables.jobs),
        tenants=tenants,
        tenants_at_hand=TenantsAtHand(tenants, settings.stage_quotas),
        usage=DynamoUsageStore(dynamo_engine(), table=tables.jobs),
        request_rates=RequestRates(DynamoRateStore(dynamo_engine(), table=tables.jobs)),
        trail=trail,
        audits=DynamoAuditStore(dynamo_engine(), table=tables.jobs),
        clock=SystemClock(),
        tenant_claim=settings.tenant_claim,
        scope_prefix=settings.scope_prefix,
        token_rules=settings.token_rules,
        target_rules=target_rules(settings.targets),
        new_seed=lambda: token_bytes(32),
        run_retention=timedelta(days=tables.run_retention_days),
    )
