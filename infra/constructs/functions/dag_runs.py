"""The steps of the executions that stand for DAG runs."""

from collections.abc import Mapping

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction


class DagRuns(SchedulerFunction):
    """Opens DAG runs, and leaves the tokens of callbacks where the ends are known."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        stores: Stores,
        machine_arn: str,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="dag_runs",
            timeout=Duration.seconds(60),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(context.settings.shards),
                "RUN_RETENTION_DAYS": str(context.settings.run_retention_days),
                # Runs that events start count in the quota of a day.
                "STAGE_QUOTAS": context.settings.quotas.environment(),
                **dag_environment(stores, machine_arn),
            },
        )
        self.allow(["dynamodb:GetItem"], stores.jobs.arn)
        self.allow(["dynamodb:PutItem"], stores.runs.arn)
        allow_dag_runs(self, stores, machine_arn)
        self.alarm_on_failures()


def dag_environment(stores: Stores, machine_arn: str) -> Mapping[str, str]:
    """Return the variables of functions that move DAG runs on."""
    return {"BLOB_BUCKET": stores.blobs.name, "DAG_MACHINE_ARN": machine_arn}


def allow_dag_runs(function: SchedulerFunction, stores: Stores, machine_arn: str) -> None:
    """Move DAG runs on: their records, their tasks' runs, what these are given, executions."""
    function.allow(
        ["dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
        stores.runs.arn,
    )
    # Definitions of DAGs by version, and of the jobs that tasks name.
    function.allow(["dynamodb:BatchGetItem", "dynamodb:Query"], stores.jobs.arn)
    function.allow(["s3:GetObject", "s3:PutObject"], stores.blobs.payloads_arn)
    function.allow(["s3:GetObject", "s3:PutObject"], stores.blobs.results_arn)
    stores.blobs.tell_missing(function.role, "payloads", "results")
    stores.blobs.acknowledge_objects(function.role)
    function.allow(["states:StartExecution", "states:SendTaskSuccess"], machine_arn)
