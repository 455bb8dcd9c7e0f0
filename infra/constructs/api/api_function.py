"""The API's function."""

from infra.constructs.data.archive_bucket import FOLDERS
from infra.constructs.runtime import places
from infra.constructs.runtime.description import TABLES, Description, TellMissing, allow, always

_RECORDS = (
    "dynamodb:BatchGetItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
)

#: It serves every route; it may create and change jobs and runs, and do no work itself.
API = Description(
    name="api",
    # Below the 30 s at which the HTTP API hangs up.
    timeout_seconds=always(15),
    memory_mb=1024,
    variables=(
        *(*TABLES, "BLOB_BUCKET", "ARCHIVE_BUCKET", "LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS"),
        *("AUDIT_RETENTION_DAYS", "TENANT_CLAIM", "SCOPE_PREFIX", "STAGE_QUOTAS", "QUEUE_URLS"),
    ),
    rights=(
        allow(["dynamodb:Query"], places.jobs_by("by_tenant")),
        allow(_RECORDS, places.jobs),
        allow(_RECORDS, places.runs),
        allow(["dynamodb:Query"], places.dead_letters),
        allow(["dynamodb:Query"], places.runs_by("failures"), places.runs_by("listed")),
        # Runs that wait in pools, for callers that look at them.
        allow(["dynamodb:Query"], places.runs_by("pool")),
        allow(["s3:GetObject", "s3:PutObject"], places.payloads),
        allow(["s3:GetObject"], places.results),
        TellMissing(prefixes=("payloads", "results")),
        # Expired runs, the archive's progress, and files that a seal names.
        allow(["s3:GetObject"], places.archived),
        TellMissing(prefixes=FOLDERS, is_archive=True),
        allow(["sqs:SendMessage"], places.run_queues),
        # The stage at a glance. Metrics take no resource, and composite alarms are described to
        # those alone who may describe all.
        allow(["cloudwatch:DescribeAlarms", "cloudwatch:GetMetricData"], places.everything),
    ),
)
