"""Wiring of the API."""

from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, cached_property, partial
from secrets import token_bytes
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.audit_trail.audit_store import DynamoAuditStore
from timegate.adapters.dynamo.auditing.usage_store import DynamoUsageStore
from timegate.adapters.dynamo.dag_runs.dag_run_store import DynamoDagRunStore
from timegate.adapters.dynamo.dags.dag_store import DynamoDagStore
from timegate.adapters.dynamo.events.event_store import DynamoEventStore
from timegate.adapters.dynamo.limits.rate_store import DynamoRateStore
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.operations.dead_letter_store import DynamoDeadLetterStore
from timegate.adapters.dynamo.operations.operation_store import DynamoOperationStore
from timegate.adapters.dynamo.pools.pool_store import DynamoPoolStore
from timegate.adapters.dynamo.runs.failure_store import DynamoFailureStore, DynamoListedRunStore
from timegate.adapters.dynamo.runs.log_store import DynamoLogStore
from timegate.adapters.dynamo.tenants.tenant_store import DynamoTenantStore
from timegate.adapters.s3.blob_store import S3BlobStore
from timegate.adapters.system_clock import SystemClock
from timegate.ports.tenants.audit_trail import Trail
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.settings import ApiSettings
from timegate.runtime.telemetry import LambdaTelemetry
from timegate.runtime.wiring import region_at_hand
from timegate.runtime.wiring.parts.dynamo_engine import fenced, unfenced_engine
from timegate.runtime.wiring.parts.records import StoreMaker
from timegate.runtime.wiring.parts.scheduling import scheduling
from timegate.runtime.wiring.parts.target_rules import target_rules
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.request_rates import RequestRates
from timegate.usecases.services.tenants_at_hand import TenantsAtHand

if TYPE_CHECKING:
    from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore
    from timegate.adapters.dynamo.dag_runs.approval_store import DynamoApprovalStore
    from timegate.adapters.dynamo.dispatch.stage_ticks import DynamoStageTicks
    from timegate.adapters.dynamo.events.trigger_store import DynamoEventTriggerStore
    from timegate.adapters.dynamo.tenants.rules.rule_store import DynamoRuleStore
    from timegate.adapters.targets.hook_secrets import ReadHookSecrets
    from timegate.ports.archive import ArchiveReaders
    from timegate.ports.telemetry.stage_metrics import StageFigures, StageMetrics
    from timegate.usecases.event_triggers.triggers_at_hand import EventTriggersAtHand


class TriggersOnDemand:
    """Everything about event triggers, each part imported and built when it is used first."""

    def __init__(self, records: StoreMaker, settings: ApiSettings) -> None:
        self._records = records
        self._settings = settings

    @cached_property
    def store(self) -> "DynamoEventTriggerStore":
        """The definitions."""
        from timegate.adapters.dynamo.events.trigger_store import (  # noqa: PLC0415
            DynamoEventTriggerStore,
        )

        records = self._records
        return DynamoEventTriggerStore(
            records.engine, table=records.tables.jobs, audit=records.audit
        )

    @cached_property
    def known(self) -> "EventTriggersAtHand":
        """Triggers that events are compared with."""
        from timegate.usecases.event_triggers.triggers_at_hand import (  # noqa: PLC0415
            EventTriggersAtHand,
        )

        return EventTriggersAtHand(self.store)

    @property
    def places(self) -> "DynamoEventTriggerStore":
        """Addresses of web hooks."""
        return self.store

    @cached_property
    def secrets(self) -> "ReadHookSecrets":
        """Keys of those who send messages to web hooks."""
        from timegate.runtime.wiring.parts.hook_secret_reader import (  # noqa: PLC0415
            hook_secret_reader,
        )

        settings = self._settings
        return hook_secret_reader(
            settings.targets, SystemClock(), role_arn=settings.hook_secrets_role_arn
        )


def api_services() -> ApiServices:
    """Build the API, whose request may be its stage's first; raises ``MissingSetting``."""
    return replace(_services(ApiSettings.read(environment())), region=region_at_hand())


def _services(settings: ApiSettings) -> ApiServices:
    unfenced, trail = unfenced_engine(), Trail(retention=settings.audit_retention)
    engine = fenced(unfenced)
    tables, blobs = settings.planning.tables, S3BlobStore(clients.s3, settings.blob_bucket)
    records = StoreMaker.opening(tables, engine, trail)
    return ApiServices(
        scheduling=scheduling(settings.planning, records, LambdaTelemetry()),
        operations=records.plain(DynamoOperationStore),
        dead_letters=StoreMaker.obedient(tables, engine, trail).sharded_runs(DynamoDeadLetterStore),
        failures=DynamoFailureStore(engine, table=tables.runs),
        listed_runs=DynamoListedRunStore(engine, table=tables.runs),
        dags=_dags(records, blobs),
        dag_runs=records.sharded_runs(DynamoDagRunStore),
        events=DynamoEventStore(engine, table=tables.runs),
        blobs=blobs,
        logs=DynamoLogStore(engine, table=tables.runs, retention_days=tables.run_retention_days),
        slots=DynamoSlotStore(engine, table=tables.jobs),
        event_triggers=TriggersOnDemand(records, settings),
        pools=_pools(records),
        tenants=records.plain(DynamoTenantStore),
        tenants_at_hand=TenantsAtHand(records.plain(DynamoTenantStore), settings.stage_quotas),
        usage=DynamoUsageStore(engine, table=tables.jobs),
        request_rates=RequestRates(DynamoRateStore(unfenced, table=tables.jobs)),
        trail=trail,
        audits=DynamoAuditStore(engine, table=tables.jobs),
        rule_store=partial(_rules, records),
        keys_at_hand=cache(records.keys_at_hand),
        stage_metrics=_StageMetrics(settings),
        stage_ticks=partial(_stage_ticks, records),
        approvals=partial(_approvals, records),
        meter=partial(_meter, records),
        archive=_archive,
        clock=SystemClock(),
        tenant_claim=settings.tenant_claim,
        scope_prefix=settings.scope_prefix,
        token_rules=settings.token_rules,
        target_rules=target_rules(settings.targets, role_arn=settings.hook_secrets_role_arn),
        new_seed=lambda: token_bytes(32),
        run_retention=timedelta(days=tables.run_retention_days),
    )


def _dags(records: StoreMaker, blobs: S3BlobStore) -> DynamoDagStore:
    return DynamoDagStore(
        records.engine,
        table=records.tables.jobs,
        blobs=blobs,
        runs=records.runs(),
        audit=records.audit,
    )


def _rules(records: StoreMaker) -> "DynamoRuleStore":
    from timegate.adapters.dynamo.tenants.rules.rule_store import DynamoRuleStore  # noqa: PLC0415

    return records.plain(DynamoRuleStore)


def _pools(records: StoreMaker) -> DynamoPoolStore:
    jobs, runs = records.tables.jobs, records.tables.runs
    return DynamoPoolStore(records.engine, jobs_table=jobs, runs_table=runs, audit=records.audit)


def _stage_ticks(records: StoreMaker) -> "DynamoStageTicks":
    from timegate.adapters.dynamo.dispatch.stage_ticks import DynamoStageTicks  # noqa: PLC0415

    return DynamoStageTicks(records.engine, table=records.tables.jobs)


def _approvals(records: StoreMaker) -> "DynamoApprovalStore":
    from timegate.adapters.dynamo.dag_runs.approval_store import (  # noqa: PLC0415
        DynamoApprovalStore,
    )

    return DynamoApprovalStore(records.engine, table=records.tables.runs)


def _meter(records: StoreMaker) -> "DynamoMeterStore":
    from timegate.adapters.dynamo.auditing.meter_store import DynamoMeterStore  # noqa: PLC0415

    tables = records.tables
    return DynamoMeterStore(records.engine, jobs_table=tables.jobs, runs_table=tables.runs)


def _archive() -> "ArchiveReaders":
    from timegate.runtime.wiring.parts.archive import archive_readers  # noqa: PLC0415

    return archive_readers()


class _StageMetrics:
    """Loads what reads CloudWatch when the administration looks at the stage, which is seldom."""

    def __init__(self, settings: ApiSettings) -> None:
        self._settings = settings

    @cached_property
    def _own(self) -> "StageMetrics":
        from timegate.adapters.cloud_watch.stage_metrics import (  # noqa: PLC0415
            CloudWatchStageMetrics,
        )

        urls = self._settings.planning.queue_urls
        return CloudWatchStageMetrics(
            clients.cloud_watch,
            prefix=f"timegate-{environment().optional('STAGE')}",
            queues={lane: url.rpartition("/")[2] for lane, url in urls.items()},
        )

    def read(self, *, now: datetime) -> "StageFigures":
        """Read an hour of the stage."""
        return self._own.read(now=now)
