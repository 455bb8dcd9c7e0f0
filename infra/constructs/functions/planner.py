"""The planner: turns due jobs into runs."""

from infra.constructs.data.tables import (
    AUDIT_PARTITIONS,
    GAP_PARTITIONS,
    OPEN_SHARDS_PARTITION,
    RESTRICTION_PARTITIONS,
    TENANTS_PARTITION,
    TOLD_FIELDS,
)
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Alarm,
    Description,
    KeepFields,
    KeepOff,
    Silence,
    allow,
    allow_partitions,
    always,
    ticks,
)
from timegate.ports.telemetry import service_metrics

#: It reads the ``due`` index, creates runs and advances jobs; it sees no payload and no target.
PLANNER = Description(
    name="planner",
    timeout_seconds=ticks,
    is_traced=False,
    memory_mb=1024,
    variables=(*TABLES, "LOOK_AHEAD_SECONDS", "HOLD_LEAD_SECONDS", "QUEUE_URLS"),
    rights=(
        allow(["dynamodb:Query"], places.jobs_by("due")),
        # Moves of frequent jobs, and what these announce, are statements in batches.
        allow(["dynamodb:UpdateItem", "dynamodb:PartiQLUpdate"], places.jobs),
        # Gaps that it leaves out; it replaces no job.
        allow_partitions(["dynamodb:PutItem"], places.jobs, GAP_PARTITIONS),
        KeepOff(place=places.jobs, partitions=(AUDIT_PARTITIONS, TENANTS_PARTITION)),
        KeepFields(place=places.jobs, fields=TOLD_FIELDS, but_in=GAP_PARTITIONS),
        # New runs; and of jobs with ``max_runs`` how many have begun.
        allow(["dynamodb:PutItem", "dynamodb:PartiQLInsert", "dynamodb:Query"], places.runs),
        allow(["sqs:SendMessage"], places.run_queues),
        # Which shards are open, and nothing of any job.
        allow_partitions(["dynamodb:BatchGetItem"], places.jobs, OPEN_SHARDS_PARTITION),
        # Restrictions that keep jobs from running.
        allow_partitions(["dynamodb:BatchGetItem"], places.jobs, RESTRICTION_PARTITIONS),
    ),
    alarms_on_damage=True,
    silence=Silence(
        minutes=3,
        meaning="No tick reached the planner for three minutes: no run is being planned.",
    ),
    alarms=(
        Alarm(
            name="tick-age",
            meaning="A shard is planned six minutes behind; two to five are normal.",
            metric=service_metrics.PLANNER_TICK_AGE_MS,
            statistic="Maximum",
            threshold=always(360_000),
            periods=2,
            runbook=Runbook.PLANNER_SILENCE,
        ),
    ),
)
