"""Operations: works on bulk changes and backfills, and looks at rules, step by step."""

from infra.constructs.data.tables import RULE_PARTITIONS, TENANTS_PARTITION
from infra.constructs.functions.stream_function import Stream
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Description,
    KeepOff,
    StreamAge,
    allow,
    allow_partitions,
    always,
)

#: A record of a running operation means: make a step. Jobs lie in the same table, under keys and
#: statuses of their own.
RUNNING_OPERATIONS = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"sk": {"S": ["operation"]}, "status": {"S": ["running"]}}},
}
#: A watch over a tenant's notification rules, or over a job that is to succeed, means: make a look.
DUE_RULES = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {
        "NewImage": {"sk": {"S": ["rule-watch", "absence-watch"]}, "look": {"S": ["due"]}}
    },
}
STEPS = Stream(
    name="Operations",
    table=lambda stores: stores.jobs,
    patterns=(RUNNING_OPERATIONS, DUE_RULES),
    # A step takes about a second: a batch of these fits well into the function's time.
    batch_size=10,
)

#: It reads the jobs' stream, changes jobs as callers do, and creates runs of the past.
OPERATIONS = Description(
    name="operations",
    timeout_seconds=always(120),
    variables=(
        *TABLES,
        *("LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS", "AUDIT_RETENTION_DAYS"),
        *("QUEUE_URLS", "REJECTED_QUEUE_URL"),
    ),
    rights=(
        allow(["dynamodb:Query"], places.jobs_by("by_tenant")),
        allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:GetItem",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
            ],
            places.jobs,
        ),
        # It says what it changed on a caller's behalf; tenants it does not administer.
        KeepOff(place=places.jobs, partitions=(TENANTS_PARTITION,)),
        # A tenant's rules, and the streaks that were told of.
        allow_partitions(["dynamodb:Query"], places.jobs, RULE_PARTITIONS),
        allow(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:PutItem",
                "dynamodb:Query",
                "dynamodb:UpdateItem",
            ],
            places.runs,
        ),
        allow(["dynamodb:Query"], places.dead_letters),
        allow(["dynamodb:Query"], places.runs_by("failures")),
        # A job that is resumed may have a run that is due before the stream shows it.
        allow(["sqs:SendMessage"], places.run_queues, places.rejected),
    ),
    alarms_on_damage=True,
    stream_age=StreamAge(
        threshold_ms=60_000,
        periods=3,
        meaning="Steps of operations, and looks at notification rules, are made late.",
    ),
)
