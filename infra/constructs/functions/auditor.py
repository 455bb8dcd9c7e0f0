"""The auditor: recomputes what should have been recorded, and rouses a person when it was not.

Its first group of shards counts what runs cost.
"""

from infra.constructs.data.tables import (
    AUDIT_CURSOR_PARTITIONS,
    OPEN_SHARDS_PARTITION,
    RESTRICTION_PARTITIONS,
)
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import (
    TABLES,
    Alarm,
    Description,
    Silence,
    allow,
    allow_partitions,
    always,
    ticks,
)
from timegate.ports.telemetry import service_metrics

#: Minutes between two ticks of a group of shards.
AUDIT_MINUTES = 5
_ALARMS = (
    Alarm(
        name="unaccounted",
        meaning="An instant that a job named has passed and has no record: a real miss.",
        metric=service_metrics.INSTANTS_UNACCOUNTED,
        threshold=always(1),
        runbook=Runbook.UNACCOUNTED_INSTANTS,
    ),
    Alarm(
        name="records-lost",
        meaning="A job or a run is gone, or no index shows it: it will not run by itself.",
        metric=service_metrics.RECORDS_LOST,
        threshold=always(1),
        runbook=Runbook.LOST_RECORDS,
    ),
    Alarm(
        name="behind",
        meaning="Checks of jobs wait for more than an hour: losses are reported late.",
        metric=service_metrics.AUDIT_DELAY_MS,
        statistic="Maximum",
        threshold=always(3_600_000),
        every_minutes=AUDIT_MINUTES,
        concern=Concern.FLAW,
        runbook=Runbook.AUDIT_BEHIND,
    ),
    Alarm(
        name="quota-drift",
        meaning="A tenant has more or fewer jobs or DAGs than were counted.",
        metric=service_metrics.QUOTA_DRIFT,
        threshold=always(1),
        concern=Concern.FLAW,
        runbook=Runbook.QUOTA_DRIFT,
    ),
)

#: It reads jobs, runs and gaps, and writes its cursors and tallies alone: it cannot hide what it
#: finds.
AUDITOR = Description(
    name="auditor",
    timeout_seconds=ticks,
    is_traced=False,
    variables=(*TABLES, "HEARTBEAT_URL"),
    rights=(
        allow(["dynamodb:Query"], places.jobs_by("due")),
        allow(["dynamodb:GetItem", "dynamodb:Query"], places.jobs),
        # Records of tenants, to be compared with their counts.
        allow(["dynamodb:Query"], places.jobs_by("by_tenant")),
        allow(["dynamodb:Query"], places.runs),
        # Jobs whose runs were planned lately.
        allow(["dynamodb:Query"], places.runs_by("watch")),
        # Which shards are open, and nothing of any job.
        allow_partitions(["dynamodb:BatchGetItem"], places.jobs, OPEN_SHARDS_PARTITION),
        # Restrictions that keep jobs from running.
        allow_partitions(["dynamodb:BatchGetItem"], places.jobs, RESTRICTION_PARTITIONS),
        # The walk over all jobs: one that no index shows may be lost. No other function scans
        # that table.
        allow(["dynamodb:Scan"], places.jobs),
        # How far the audit of each job came, and how far the walk.
        allow_partitions(
            [
                "dynamodb:BatchGetItem",
                "dynamodb:BatchWriteItem",
                "dynamodb:PutItem",
                "dynamodb:UpdateItem",
            ],
            places.jobs,
            AUDIT_CURSOR_PARTITIONS,
        ),
        # The meter reads what happened; what it cost lies beside the cursors.
        allow(["dynamodb:Scan"], places.runs),
    ),
    alarms_on_damage=True,
    # Its other alarms ring by what its ticks measure.
    silence=Silence(
        minutes=4 * AUDIT_MINUTES,
        meaning="No tick reached the auditor for twenty minutes: losses are not reported.",
        concern=Concern.FLAW,
        runbook=Runbook.AUDIT_BEHIND,
    ),
    alarms=_ALARMS,
)
