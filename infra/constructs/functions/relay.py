"""The relay: publishes queued runs through the time gate."""

from aws_cdk import Duration
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.stores import Stores
from infra.constructs.events.sources import StreamSource
from infra.constructs.observability.alerts import Runbook
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.metrics import timegate_metric
from timegate.ports.telemetry import run_metrics

#: A queued image means publish, unless whoever wrote it publishes it (``direct``). The filter
#: names the leaf's value: ``exists`` would hold for any attribute, as only leaves can be tested.
QUEUED_FOR_THE_STREAM = {
    "eventName": ["INSERT", "MODIFY"],
    "dynamodb": {"NewImage": {"state": {"S": ["queued"]}, "direct": {"BOOL": [False]}}},
}


class Relay(SchedulerFunction):
    """Reads the runs' stream and sends to the run queues; it has no way into a table."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        context: FunctionContext,
        stores: Stores,
        rejected: sqs.IQueue,
    ) -> None:
        settings = context.settings
        super().__init__(
            scope,
            construct_id,
            context=context,
            name="relay",
            timeout=Duration.seconds(60),
            environment={
                "HOLD_LEAD_SECONDS": str(settings.hold_lead_seconds),
                "QUEUE_URLS": stores.queues.urls(scope),
                "REJECTED_QUEUE_URL": rejected.queue_url,
            },
        )
        self.allow(["sqs:SendMessage"], *stores.queues.arns, rejected.queue_arn)
        StreamSource(
            self,
            "Runs",
            function=self,
            table=stores.runs,
            filters=[QUEUED_FOR_THE_STREAM],
            rejected=rejected,
            parallelism=settings.stream_parallelism,
        )
        self.alarm_on_failures()
        self._alarm_on_lateness(settings.thresholds.scheduling_lag_ms)

    def _alarm_on_lateness(self, scheduling_lag_ms: int) -> None:
        self.alarm_on_stream_age(
            threshold_ms=10_000,
            periods=2,
            meaning="The relay reads the stream late: runs are published late.",
        )
        self.alerts.alarm(
            self,
            "SchedulingLag",
            name=f"{self.name}-scheduling-lag",
            meaning="One run in a hundred is published well after its due instant.",
            metric=timegate_metric(run_metrics.SCHEDULING_LAG_MS, self.name, "p99"),
            threshold=scheduling_lag_ms,
            periods=3,
            runbook=Runbook.LATE_RUNS,
        )
