"""The API's function."""

from aws_cdk import Duration
from constructs import Construct

from infra.constructs.api.identity import token_variables
from infra.constructs.data.stores import Stores
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.constructs.targeting.targets import AllowedTargets
from infra.stage.settings import Issuer


class ApiFunction(SchedulerFunction):
    """Serves every route; may create and change jobs and runs, and do no work itself."""

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
            name="api",
            # Below the 30 s at which the HTTP API hangs up.
            timeout=Duration.seconds(15),
            memory_mb=1024,
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "BLOB_BUCKET": stores.blobs.name,
                "SHARDS": str(settings.shards),
                "LOOK_AHEAD_SECONDS": str(settings.look_ahead_seconds),
                "HOLD_LEAD_SECONDS": str(settings.hold_lead_seconds),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "AUDIT_RETENTION_DAYS": str(settings.audit_retention_days),
                "TENANT_CLAIM": settings.tenant_claim,
                "SCOPE_PREFIX": settings.scope_prefix,
                **token_variables(scope, issuer),
                "STAGE_QUOTAS": settings.quotas.environment(),
                "QUEUE_URLS": stores.queues.urls(scope),
                **AllowedTargets.of(scope, settings).environment(scope),
            },
        )
        self._allow_records(stores)
        self.allow(["s3:GetObject", "s3:PutObject"], stores.blobs.payloads_arn)
        self.allow(["s3:GetObject"], stores.blobs.results_arn)
        stores.blobs.tell_missing(self.role, "payloads", "results")
        stores.blobs.acknowledge_objects(self.role)
        self.allow(["sqs:SendMessage"], *stores.queues.arns)
        self.alarm_on_failures()

    def _allow_records(self, stores: Stores) -> None:
        self.allow(["dynamodb:Query"], stores.jobs.index_arn("by_tenant"))
        self.allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            stores.jobs.arn,
        )
        self.allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            stores.runs.arn,
        )
        self.allow(["dynamodb:Query"], *stores.runs.dead_letter_arns)
