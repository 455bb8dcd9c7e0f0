"""The auditor: recomputes what should have been recorded, and rouses a person when it was not."""

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import (
    AUDIT_CURSOR_PARTITIONS,
    OPEN_SHARDS_PARTITION,
    RESTRICTION_PARTITIONS,
)
from infra.constructs.observability.alerts import Runbook
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.metrics import timegate_metric
from timegate.ports.telemetry import service_metrics


class Auditor(SchedulerFunction):
    """Reads jobs, runs and gaps, and writes its cursors alone: it cannot hide what it finds."""

    def __init__(
        self, scope: Construct, construct_id: str, *, context: FunctionContext, stores: Stores
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="auditor",
            timeout=Duration.seconds(settings.tick_timeout_seconds),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
            },
        )
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("due"))
        self.allow(["dynamodb:GetItem", "dynamodb:Query"], stores.jobs.arn)
        # What tenants have, to be compared with what was counted of it.
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("by_tenant"))
        self.allow(["dynamodb:Query"], stores.runs.arn)
        # Whose runs were planned lately.
        self.allow(["dynamodb:Query"], stores.runs.index_arn("watch"))
        # Which shards are open, and nothing of any job.
        self.allow_partitions(["dynamodb:BatchGetItem"], stores.jobs.arn, OPEN_SHARDS_PARTITION)
        # What keeps jobs from running.
        self.allow_partitions(["dynamodb:BatchGetItem"], stores.jobs.arn, RESTRICTION_PARTITIONS)
        # The walk over all jobs: one that no index shows may be lost. Nobody else scans.
        self.allow(["dynamodb:Scan"], stores.jobs.arn)
        # How far the audit of each job came, and how far the walk.
        self.allow_partitions(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:BatchWriteItem",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
            ],
            stores.jobs.arn,
            AUDIT_CURSOR_PARTITIONS,
        )
        self.alarm_on_failures()
        self.alarm_on_damage()
        self._alarm_on_findings()

    def _alarm_on_findings(self) -> None:
        self.alerts.alarm(
            self,
            "Unaccounted",
            name=f"{self.name}-unaccounted",
            meaning="An instant that a job named has passed and has no record: a real miss.",
            metric=timegate_metric(service_metrics.INSTANTS_UNACCOUNTED, self.name),
            threshold=1,
            runbook=Runbook.UNACCOUNTED_INSTANTS,
        )
        self.alerts.alarm(
            self,
            "RecordsLost",
            name=f"{self.name}-records-lost",
            meaning="A job or a run is gone, or no index shows it: it will not run by itself.",
            metric=timegate_metric(service_metrics.RECORDS_LOST, self.name),
            threshold=1,
            runbook=Runbook.LOST_RECORDS,
        )
        self.alerts.alarm(
            self,
            "Behind",
            name=f"{self.name}-behind",
            meaning="Checks of jobs wait for more than an hour: losses are reported late.",
            metric=timegate_metric(service_metrics.AUDIT_DELAY_MS, self.name, "Maximum"),
            threshold=3_600_000,
            runbook=Runbook.AUDIT_BEHIND,
        )
        self.alerts.alarm(
            self,
            "QuotaDrift",
            name=f"{self.name}-quota-drift",
            meaning="A tenant has more or fewer jobs or DAGs than were counted.",
            metric=timegate_metric(service_metrics.QUOTA_DRIFT, self.name),
            threshold=1,
            runbook=Runbook.QUOTA_DRIFT,
        )
