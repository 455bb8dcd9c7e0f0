"""The function that workers talk to."""

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.api.identity import token_variables
from infra.constructs.data.stores import Stores
from infra.constructs.data.tables import POOL_PARTITIONS, SLOT_PARTITIONS
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.stage.settings import Issuer


class WorkersFunction(SchedulerFunction):
    """Claims and ends runs on behalf of workers; may create none, and reaches no target.

    It waits for work, so it is apart from the API: how many workers may wait at once is its
    reserved concurrency, and nobody else's.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        stores: Stores,
        issuer: Issuer,
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="workers",
            # A wait of 20 s and what comes after it, below the 30 s at which the HTTP API hangs up.
            timeout=Duration.seconds(29),
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "BLOB_BUCKET": stores.blobs.name,
                "SHARDS": str(settings.shards),
                "STAGE_QUOTAS": settings.quotas.environment(),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "TENANT_CLAIM": settings.tenant_claim,
                "SCOPE_PREFIX": settings.scope_prefix,
                **token_variables(scope, issuer),
                "WORKER_LEASE_SECONDS": str(settings.worker_lease_seconds),
            },
        )
        self._allow_records(stores)
        self.allow(["s3:GetObject"], stores.blobs.payloads_arn)
        self.allow(["s3:PutObject"], stores.blobs.results_arn)
        self.allow(["s3:GetObject", "s3:PutObject"], stores.blobs.checkpoints_arn)
        stores.blobs.tell_missing(self.role, "payloads", "checkpoints")
        stores.blobs.acknowledge_objects(self.role)
        self.alarm_on_failures()

    def _allow_records(self, stores: Stores) -> None:
        self.allow(["dynamodb:BatchGetItem"], stores.jobs.arn)
        # What lies among the jobs, which it may not change.
        self.allow_partitions(
            ["dynamodb:GetItem", "dynamodb:UpdateItem"], stores.jobs.arn, SLOT_PARTITIONS
        )
        self.allow_partitions(
            ["dynamodb:Query", "dynamodb:UpdateItem"], stores.jobs.arn, POOL_PARTITIONS
        )
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
        self.allow(["dynamodb:Query"], stores.runs.index_arn("pool"))
