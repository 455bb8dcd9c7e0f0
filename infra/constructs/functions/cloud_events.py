"""Events: the bus of a stage, the queue before it, and the function between them."""

from aws_cdk import CfnOutput, Duration
from aws_cdk import aws_events as events
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.sealed_queue import ParkingQueue, SealedQueue
from infra.constructs.events.sources import QueueSource, StreamSource
from infra.constructs.functions.change_patterns import JOB_CHANGES
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime import places
from infra.constructs.runtime.description import Description, Given, StreamAge, allow, always
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.metrics import queue_metric, timegate_metric
from infra.stage.delivery import EVENT_TIMEOUT_SECONDS, EVENT_TRIES, VISIBILITY_PER_TIMEOUT
from infra.stage.deployed_functions import CLOUD_EVENTS
from timegate.ports.telemetry import service_metrics

#: Most batches of ten events on their way to the bus at once, within what the account leaves
#: unreserved: about 2,000 events a second. The quota of ``PutEvents`` is 10,000 in large Regions.
_CONCURRENCY = 10
#: Events wait at most seconds on a stage that works.
_LATE_SECONDS = 300

#: It sends queued events to the bus, and queues changes of jobs; it reads and writes no table.
SENDER = Description(
    name=CLOUD_EVENTS,
    timeout_seconds=always(EVENT_TIMEOUT_SECONDS),
    variables=("REJECTED_QUEUE_URL",),
    rights=(allow(["sqs:SendMessage"], places.rejected),),
    stream_age=StreamAge(
        threshold_ms=_LATE_SECONDS * 1_000, periods=3, meaning="Changes of jobs are told late."
    ),
)


class CloudEvents(SchedulerFunction):
    """The function, its queue and its bus; readers of streams are given the queue."""

    def __init__(
        self, scope: Construct, construct_id: str, *, context: FunctionContext, given: Given
    ) -> None:
        super().__init__(scope, construct_id, context=context, description=SENDER, given=given)
        bus = events.CfnEventBus(
            self,
            "Bus",
            name=self.settings.physical_name("events"),
            description=f"Transitions of runs, DAG runs and jobs of stage {self.settings.name}",
        )
        self.allow(["events:PutEvents"], bus.attr_arn)
        self.tell("CLOUD_EVENTS_BUS", bus.ref)
        self.bus_name = bus.ref
        self._queue = self._make_queue()
        self.let_tell(self)
        QueueSource(self, "Source", function=self, queue=self._queue, max_concurrency=_CONCURRENCY)
        StreamSource(
            self,
            "Jobs",
            function=self,
            table=given.stores.jobs,
            filters=JOB_CHANGES,
            rejected=given.rejects(),
            parallelism=1,
        )
        # Its own name: the template has no output of it while events are off.
        CfnOutput(self, "BusName", value=bus.ref).override_logical_id("EventBusName")

    def let_tell(self, reader: SchedulerFunction) -> None:
        """Let a reader of a stream queue events, and know which."""
        reader.allow(["sqs:SendMessage"], self._queue.queue_arn)
        reader.tell("CLOUD_EVENTS_QUEUE_URL", self._queue.queue_url)
        share = f"{self.settings.trace_percent:g}"
        reader.tell("TRACE_PERCENT", share)
        if sampling := self.settings.events.sampling:
            reader.tell("CLOUD_EVENTS_SAMPLING", sampling)

    def alarm_on_losses(self, reader: SchedulerFunction) -> None:
        """Rouse a person when a reader could not queue events, which its log then has."""
        self.alerts.alarm(
            self,
            "NotQueued",
            name=f"{reader.name}-events-not-queued",
            meaning="Events were not queued: the log has them.",
            metric=timegate_metric(service_metrics.CLOUD_EVENTS_NOT_QUEUED, reader.name),
            threshold=1,
            runbook=Runbook.EVENTS_NOT_SENT,
            subject=reader.name,
        )

    def _make_queue(self) -> sqs.Queue:
        unsent = ParkingQueue(
            self,
            "Unsent",
            name="cloud-events-dlq",
            settings=self.settings,
            meaning="The bus refused events for hours, or their queue held what is no event.",
            runbook=Runbook.EVENTS_NOT_SENT,
            subject=self.name,
            alerts=self.alerts,
        )
        queue = SealedQueue(
            self,
            "Queue",
            name="cloud-events",
            settings=self.settings,
            visibility=Duration.seconds(VISIBILITY_PER_TIMEOUT * EVENT_TIMEOUT_SECONDS),
            retention=Duration.days(14),
            dead_letters=sqs.DeadLetterQueue(queue=unsent.queue, max_receive_count=EVENT_TRIES),
        )
        self.alerts.alarm(
            self,
            "Late",
            name=self.settings.physical_name("cloud-events-age"),
            meaning="Events wait for their bus for minutes.",
            metric=queue_metric("ApproximateAgeOfOldestMessage", queue.name),
            threshold=_LATE_SECONDS,
            periods=3,
            runbook=Runbook.EVENTS_NOT_SENT,
            subject=self.name,
        )
        return queue
