"""Wiring of the function that workers talk to."""

from functools import cache
from secrets import token_hex

from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.pools.pool_store import DynamoPoolStore
from timegate.adapters.dynamo.restrictions.restriction_store import DynamoRestrictionStore
from timegate.adapters.dynamo.runs.log_store import DynamoLogStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.system_clock import SystemClock
from timegate.domain.pools.lease_token import LEASE_KEY_BYTES
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import WorkerSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import begins_until, lost_until, region_at_hand
from timegate.runtime.wiring.parts.dynamo_engine import unfenced_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.worker_services import WorkerServices


def worker_services() -> WorkerServices:
    """Build what workers talk to; raises ``MissingSetting``."""
    variables = environment()
    settings = WorkerSettings.read(variables)
    tables, telemetry, engine = settings.tables, LambdaTelemetry(), unfenced_engine()
    records = StoreMaker.obedient(tables, engine)
    return WorkerServices(
        runs=records.runs(),
        slots=DynamoSlotStore(engine, table=tables.jobs),
        rates=DynamoRateStore(engine, table=tables.jobs),
        blobs=S3BlobStore(clients.s3, settings.blob_bucket),
        pools=DynamoPoolStore(engine, jobs_table=tables.jobs, runs_table=tables.runs),
        logs=DynamoLogStore(engine, table=tables.runs, retention_days=tables.run_retention_days),
        calendars=CalendarsAtHand(
            records.plain(DynamoRestrictionStore), telemetry, lost_until=lost_until
        ),
        clock=SystemClock(),
        telemetry=telemetry,
        tenant_claim=settings.tenant_claim,
        scope_prefix=settings.scope_prefix,
        token_rules=settings.token_rules,
        keys_at_hand=cache(records.keys_at_hand),
        lease_length=settings.lease_length,
        new_lease_key=lambda: token_hex(LEASE_KEY_BYTES),
        trace_percent=variables.percent("TRACE_PERCENT"),
        region=region_at_hand(),
        begins_until=begins_until,
    )
