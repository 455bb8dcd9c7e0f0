"""The planner: turns due jobs into runs."""

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import (
    AUDIT_PARTITIONS,
    OPEN_SHARDS_PARTITION,
    RESTRICTION_PARTITIONS,
    TENANTS_PARTITION,
)
from infra.constructs.observability.alerts import Runbook
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.metrics import timegate_metric
from timegate.ports.telemetry import service_metrics


class Planner(SchedulerFunction):
    """Reads the ``due`` index, creates runs, advances jobs; sees no payload and no target."""

    def __init__(
        self, scope: Construct, construct_id: str, *, context: FunctionContext, stores: Stores
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="planner",
            timeout=Duration.seconds(settings.tick_timeout_seconds),
            memory_mb=1024,
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "LOOK_AHEAD_SECONDS": str(settings.look_ahead_seconds),
                "HOLD_LEAD_SECONDS": str(settings.hold_lead_seconds),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "QUEUE_URLS": stores.queues.urls(scope),
            },
        )
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("due"))
        self.allow(["dynamodb:PutItem", "dynamodb:UpdateItem"], stores.jobs.arn)
        self.keep_off(stores.jobs.arn, AUDIT_PARTITIONS, TENANTS_PARTITION)
        # New runs; and of jobs with ``max_runs`` how many have begun.
        self.allow(["dynamodb:PutItem", "dynamodb:Query"], stores.runs.arn)
        self.allow(["sqs:SendMessage"], *stores.queues.arns)
        # Which shards are open, and nothing of any job.
        self.allow_partitions(["dynamodb:BatchGetItem"], stores.jobs.arn, OPEN_SHARDS_PARTITION)
        # What keeps jobs from running.
        self.allow_partitions(["dynamodb:BatchGetItem"], stores.jobs.arn, RESTRICTION_PARTITIONS)
        self.alarm_on_failures()
        self.alarm_on_damage()
        self.alarm_on_silence(
            minutes=3,
            meaning="No tick reached the planner for three minutes: no run is being planned.",
        )
        self._alarm_on_lag()

    def _alarm_on_lag(self) -> None:
        self.alerts.alarm(
            self,
            "TickAge",
            name=f"{self.name}-tick-age",
            meaning="A shard is planned six minutes behind; two to five are normal.",
            metric=timegate_metric(service_metrics.PLANNER_TICK_AGE_MS, self.name, "Maximum"),
            threshold=360_000,
            periods=2,
            runbook=Runbook.PLANNER_SILENCE,
        )
