"""The relay: publishes queued runs through the time gate."""

from infra.constructs.functions.stream_function import Stream
from infra.constructs.observability.alerts import Concern
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import Alarm, Description, StreamAge, allow, always
from timegate.ports.telemetry import run_metrics

#: A queued image means publish, unless its writer publishes it (``direct``). The filter
#: names the leaf's value: ``exists`` would hold for any attribute, as only leaves can be tested.
QUEUED_FOR_THE_STREAM = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"state": {"S": ["queued"]}, "direct": {"BOOL": [False]}}},
}
QUEUED_RUNS = Stream(
    name="Runs", table=lambda stores: stores.runs, patterns=(QUEUED_FOR_THE_STREAM,)
)

#: It reads the runs' stream and sends to the run queues; it has no way into a table.
RELAY = Description(
    name="relay",
    timeout_seconds=always(60),
    variables=("HOLD_LEAD_SECONDS", "QUEUE_URLS", "REJECTED_QUEUE_URL"),
    rights=(allow(["sqs:SendMessage"], places.run_queues, places.rejected),),
    stream_age=StreamAge(
        threshold_ms=10_000,
        periods=2,
        meaning="The relay reads the stream late: runs are published late.",
    ),
    alarms=(
        Alarm(
            name="scheduling-lag",
            meaning="One run in a hundred is published well after its due instant.",
            metric=run_metrics.SCHEDULING_LAG_MS,
            statistic="p99",
            threshold=lambda settings: settings.thresholds.scheduling_lag_ms,
            periods=3,
            # A run that waited for its job's others is late by its tenant's wish. A relay that
            # stands still has the alarm on its stream, and its runs that of their watch.
            concern=Concern.TENANT,
            runbook=Runbook.LATE_RUNS,
        ),
    ),
)
