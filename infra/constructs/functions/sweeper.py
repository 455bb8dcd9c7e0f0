"""The sweeper: finds runs that are stuck, and gets them moving again."""

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import (
    AUDIT_PARTITIONS,
    SLOT_PARTITIONS,
    TENANTS_PARTITION,
)
from infra.constructs.observability.alerts import Runbook
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.metrics import timegate_metric
from timegate.ports.telemetry import run_metrics, service_metrics


class Sweeper(SchedulerFunction):
    """Reads the ``watch`` index and touches runs, whose stream publishes them; it sends no run."""

    def __init__(
        self, scope: Construct, construct_id: str, *, context: FunctionContext, stores: Stores
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="sweeper",
            timeout=Duration.seconds(settings.tick_timeout_seconds),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "STAGE_QUOTAS": settings.quotas.environment(),
                "LOOK_AHEAD_SECONDS": str(settings.look_ahead_seconds),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "QUEUE_URLS": stores.queues.urls(scope),
            },
        )
        self.allow(["dynamodb:Query"], stores.runs.index_arn("watch"))
        # Operations that stand still.
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("due"))
        self.allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:PartiQLUpdate",
                "dynamodb:PutItem",
                # The recent runs of a job with a deadline.
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            stores.runs.arn,
        )
        self.allow(
            ["dynamodb:BatchGetItem", "dynamodb:UpdateItem"],
            stores.jobs.arn,
        )
        self.keep_off(stores.jobs.arn, AUDIT_PARTITIONS, TENANTS_PARTITION)
        # It changes slots as well as its shards' cursors, which the grant above is for.
        self.allow_partitions(["dynamodb:GetItem"], stores.jobs.arn, SLOT_PARTITIONS)
        self.allow(["sqs:GetQueueAttributes"], *stores.queues.arns)
        self.alarm_on_failures()
        self.alarm_on_damage()
        self.alarm_on_silence(
            minutes=5,
            meaning="No tick reached the sweeper for five minutes: stuck runs stay stuck.",
        )
        self._alarm_on_neglect()

    def _alarm_on_neglect(self) -> None:
        self.alerts.alarm(
            self,
            "OperationsStalled",
            name=f"{self.name}-operations-stalled",
            meaning="An operation made no step for five minutes, although it was woken.",
            metric=timegate_metric(service_metrics.OPERATIONS_STALLED, self.name),
            threshold=1,
            runbook=Runbook.STALLED_OPERATIONS,
        )
        self.alerts.alarm(
            self,
            "OfferAge",
            name=f"{self.name}-offer-age",
            meaning="A run has waited in its pool for too long, and no worker has come for it.",
            metric=timegate_metric(run_metrics.OFFER_AGE_MS, self.name, "Maximum"),
            threshold=1_000 * self.settings.thresholds.offer_age_seconds,
            runbook=Runbook.UNCLAIMED_OFFERS,
        )
        self.alerts.alarm(
            self,
            "WatchOverdue",
            name=f"{self.name}-watch-overdue",
            meaning="Runs that need attention pile up faster than the sweeper gives it.",
            metric=timegate_metric(service_metrics.WATCH_OVERDUE, self.name, "Maximum"),
            threshold=1_000,
            periods=3,
            runbook=Runbook.LATE_RUNS,
        )
