"""Outcomes: reacts to finished runs."""

from infra.constructs.data.tables import TENANTS_PARTITION
from infra.constructs.functions.change_patterns import RUN_TRANSITIONS
from infra.constructs.functions.dag_runs import DAG_RIGHTS, DAG_VARIABLES
from infra.constructs.functions.stream_function import Stream
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Description,
    KeepOff,
    StreamAge,
    allow,
    always,
)

#: Only runs whose end a function waits for carry ``follow``.
FOLLOWED = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"follow": {"S": [{"exists": True}]}}},
}
FOLLOWED_RUNS = Stream(
    name="Runs",
    table=lambda stores: stores.runs,
    patterns=(FOLLOWED,),
    told=RUN_TRANSITIONS,
)

#: It reads the runs' stream: completes, refills and pauses jobs, follows ends, moves DAG runs on.
OUTCOMES = Description(
    name="outcomes",
    timeout_seconds=always(60),
    variables=(
        *TABLES,
        *("LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS", "AUDIT_RETENTION_DAYS"),
        *("QUEUE_URLS", "REJECTED_QUEUE_URL"),
        *DAG_VARIABLES,
    ),
    rights=(
        # Beside completions: the plans of jobs that got a place back, with their gaps.
        allow(["dynamodb:GetItem", "dynamodb:PutItem", "dynamodb:UpdateItem"], places.jobs),
        # Jobs that no tally counts are completed in batches.
        allow(["dynamodb:PartiQLUpdate"], places.jobs),
        # It says which jobs failures paused; tenants it does not administer.
        KeepOff(place=places.jobs, partitions=(TENANTS_PARTITION,)),
        # Notifications of ends, follow-ups, and tasks of DAG runs: new runs.
        allow(["dynamodb:PutItem"], places.runs),
        # The ends of runs that were left to DAG runs.
        allow(["dynamodb:PartiQLUpdate"], places.runs),
        *DAG_RIGHTS,
        # Runs that are planned when they are due already, and those of tasks that start.
        allow(["sqs:SendMessage"], places.run_queues, places.rejected),
    ),
    stream_age=StreamAge(
        threshold_ms=60_000, periods=2, meaning="Finished runs are followed up late."
    ),
)
