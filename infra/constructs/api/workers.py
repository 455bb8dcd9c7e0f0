"""The function that workers talk to."""

from infra.constructs.data.tables import POOL_PARTITIONS, SLOT_PARTITIONS
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Description,
    TellMissing,
    allow,
    allow_partitions,
    always,
)

#: It claims and ends runs on behalf of workers; it may create none, and reaches no target.
#:
#: It waits for work, so it is apart from the API: how many workers may wait at once is its
#: reserved concurrency, and no other function's.
WORKERS = Description(
    name="workers",
    # A wait of 20 s and what comes after it, below the 30 s at which the HTTP API hangs up.
    timeout_seconds=always(29),
    variables=(
        *(*TABLES, "BLOB_BUCKET", "STAGE_QUOTAS"),
        *("TENANT_CLAIM", "SCOPE_PREFIX", "WORKER_LEASE_SECONDS", "TRACE_PERCENT"),
    ),
    rights=(
        allow(["dynamodb:BatchGetItem"], places.jobs),
        # Records among the jobs that it may not change.
        allow_partitions(
            ["dynamodb:GetItem", "dynamodb:Query", "dynamodb:UpdateItem"],
            places.jobs,
            SLOT_PARTITIONS,
        ),
        allow_partitions(["dynamodb:Query", "dynamodb:UpdateItem"], places.jobs, POOL_PARTITIONS),
        allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:PartiQLUpdate",
                "dynamodb:PutItem",
                # The recent runs of a job with a deadline.
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            places.runs,
        ),
        allow(["dynamodb:Query"], places.runs_by("pool")),
        allow(["s3:GetObject"], places.payloads),
        allow(["s3:PutObject"], places.results),
        allow(["s3:GetObject", "s3:PutObject"], places.checkpoints),
        TellMissing(prefixes=("payloads", "checkpoints")),
    ),
)
