"""Outcomes: reacts to finished runs."""

from aws_cdk import Duration
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import AUDIT_PARTITIONS, TENANTS_PARTITION
from infra.constructs.events.sources import StreamSource
from infra.constructs.functions.dag_runs import allow_dag_runs, dag_environment
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction

#: Only runs whose end somebody waits for carry ``follow``.
FOLLOWED = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"follow": {"S": [{"exists": True}]}}},
}


class Outcomes(SchedulerFunction):
    """Reads the runs' stream: completes and refills jobs, follows ends, moves DAG runs on."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        stores: Stores,
        rejected: sqs.IQueue,
        machine_arn: str,
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="outcomes",
            timeout=Duration.seconds(60),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "LOOK_AHEAD_SECONDS": str(settings.look_ahead_seconds),
                "HOLD_LEAD_SECONDS": str(settings.hold_lead_seconds),
                "QUEUE_URLS": stores.queues.urls(scope),
                "REJECTED_QUEUE_URL": rejected.queue_url,
                **dag_environment(stores, machine_arn),
            },
        )
        # Beside completions: the plans of jobs that got a place back, with their gaps.
        self.allow(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], stores.jobs.arn)
        self.keep_off(stores.jobs.arn, AUDIT_PARTITIONS, TENANTS_PARTITION)
        # What tells of ends, what follows them, and tasks of DAG runs: new runs, for the relay to
        # publish.
        self.allow(["dynamodb:PutItem"], stores.runs.arn)
        # The ends of runs that were left to DAG runs.
        self.allow(["dynamodb:PartiQLUpdate"], stores.runs.arn)
        allow_dag_runs(self, stores, machine_arn)
        # Runs that are planned when they are due already.
        self.allow(["sqs:SendMessage"], *stores.queues.arns, rejected.queue_arn)
        StreamSource(
            self,
            "Runs",
            function=self,
            table=stores.runs,
            filters=[FOLLOWED],
            rejected=rejected,
            parallelism=settings.stream_parallelism,
        )
        self.alarm_on_failures()
        self.alarm_on_stream_age(
            threshold_ms=60_000, periods=2, meaning="Finished runs are followed up late."
        )
