"""The sweeper: finds runs that are stuck, and gets them moving again."""

from datetime import timedelta

from infra.constructs.data.tables import (
    AUDIT_PARTITIONS,
    POOL_PARTITIONS,
    SLOT_PARTITIONS,
    TENANTS_PARTITION,
    TOLD_FIELDS,
)
from infra.constructs.observability.alerts import Concern
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
from timegate.domain.operations.operation import WAKE_AFTER
from timegate.ports.telemetry import run_metrics, service_metrics

#: Minutes between two looks at an operation that stands still.
_WAKES_OPERATIONS = WAKE_AFTER // timedelta(minutes=1)
#: Minutes between two looks at a run that waits in its pool.
_LOOKS_AT_OFFERS = 10
#: Most minutes between two looks at what no reader of a stream acts on (``runs.watch``).
_LOOKS_AT_UNREAD = 15
#: The sweeper has had it shown three times by then.
_UNREAD_MINUTES = 5
_ALARMS = (
    Alarm(
        name="operations-stalled",
        meaning="An operation made no step for five minutes, although it was woken.",
        metric=service_metrics.OPERATIONS_STALLED,
        threshold=always(1),
        every_minutes=_WAKES_OPERATIONS,
        runbook=Runbook.STALLED_OPERATIONS,
    ),
    Alarm(
        name="offer-age",
        meaning="A run has waited in its pool for too long, and no worker has come for it.",
        metric=run_metrics.OFFER_AGE_MS,
        statistic="Maximum",
        threshold=lambda settings: 1_000 * settings.thresholds.offer_age_seconds,
        every_minutes=_LOOKS_AT_OFFERS,
        concern=Concern.TENANT,
        runbook=Runbook.UNCLAIMED_OFFERS,
    ),
    # A source that is switched off has no iterator age.
    Alarm(
        name="stuck",
        meaning="Runs are not published, or ends not followed, however often they are shown.",
        metric=service_metrics.STREAM_UNREAD_MS,
        statistic="Maximum",
        threshold=always(60_000 * _UNREAD_MINUTES),
        every_minutes=_LOOKS_AT_UNREAD,
        runbook=Runbook.STREAM_BEHIND,
    ),
    Alarm(
        name="watch-overdue",
        meaning="Runs that need attention pile up faster than the sweeper gives it.",
        metric=service_metrics.WATCH_OVERDUE,
        statistic="Maximum",
        threshold=always(1_000),
        periods=3,
        runbook=Runbook.LATE_RUNS,
    ),
)

#: It reads the ``watch`` index and touches runs, whose stream publishes them; it sends no run.
SWEEPER = Description(
    name="sweeper",
    timeout_seconds=ticks,
    is_traced=False,
    variables=(*TABLES, "STAGE_QUOTAS", "LOOK_AHEAD_SECONDS", "QUEUE_URLS"),
    rights=(
        allow(["dynamodb:Query"], places.runs_by("watch")),
        # Operations that stand still.
        allow(["dynamodb:Query"], places.jobs_by("due")),
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
        allow(["dynamodb:BatchGetItem", "dynamodb:UpdateItem"], places.jobs),
        KeepOff(place=places.jobs, partitions=(AUDIT_PARTITIONS, TENANTS_PARTITION)),
        KeepFields(place=places.jobs, fields=TOLD_FIELDS, but_in=SLOT_PARTITIONS),
        # It changes slots as well as its shards' cursors, which the grant above is for.
        allow_partitions(["dynamodb:GetItem", "dynamodb:Query"], places.jobs, SLOT_PARTITIONS),
        # Tell if workers come for a run of a pool that is late.
        allow_partitions(["dynamodb:Query"], places.jobs, POOL_PARTITIONS),
        allow(["sqs:GetQueueAttributes"], places.run_queues),
    ),
    alarms_on_damage=True,
    silence=Silence(
        minutes=5,
        meaning="No tick reached the sweeper for five minutes: stuck runs stay stuck.",
    ),
    alarms=_ALARMS,
)
