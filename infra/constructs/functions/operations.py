"""Operations: works on bulk changes and backfills, step by step."""

from aws_cdk import Duration
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import TENANTS_PARTITION
from infra.constructs.events.sources import StreamSource
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction

#: A record of a running operation means: make a step. Jobs lie in the same table, under keys and
#: statuses of their own.
RUNNING_OPERATIONS = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"sk": {"S": ["operation"]}, "status": {"S": ["running"]}}},
}
#: A step takes about a second: a batch of these fits well into the function's time.
_BATCH = 10


class Operations(SchedulerFunction):
    """Reads the jobs' stream, changes jobs as callers do, and creates runs of the past."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        stores: Stores,
        rejected: sqs.IQueue,
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="operations",
            timeout=Duration.seconds(120),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "LOOK_AHEAD_SECONDS": str(settings.look_ahead_seconds),
                "HOLD_LEAD_SECONDS": str(settings.hold_lead_seconds),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "AUDIT_RETENTION_DAYS": str(settings.audit_retention_days),
                "QUEUE_URLS": stores.queues.urls(scope),
                "REJECTED_QUEUE_URL": rejected.queue_url,
            },
        )
        self._allow_records(stores)
        # A job that is resumed may have a run that is due before the stream shows it.
        self.allow(["sqs:SendMessage"], *stores.queues.arns, rejected.queue_arn)
        StreamSource(
            self,
            "Operations",
            function=self,
            table=stores.jobs,
            filters=[RUNNING_OPERATIONS],
            rejected=rejected,
            parallelism=settings.stream_parallelism,
            batch_size=_BATCH,
        )
        self.alarm_on_failures()
        self.alarm_on_stream_age(
            threshold_ms=60_000, periods=3, meaning="Steps of operations are made late."
        )

    def _allow_records(self, stores: Stores) -> None:
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("by_tenant"))
        self.allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
            ],
            stores.jobs.arn,
        )
        # It says what it changed on somebody's behalf; tenants it does not administer.
        self.keep_off(stores.jobs.arn, TENANTS_PARTITION)
        self.allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            stores.runs.arn,
        )
        self.allow(["dynamodb:Query"], *stores.runs.dead_letter_arns)
