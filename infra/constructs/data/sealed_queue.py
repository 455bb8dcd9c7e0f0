"""The one way a queue is made, and queues where messages are parked."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cw
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.acknowledge import PLAIN_HTTP, acknowledge
from infra.constructs.observability.alerts import Alerts, Concern
from infra.constructs.observability.runbook import Runbook
from infra.metrics import queue_metric
from infra.stage.settings import StageSettings


class SealedQueue(sqs.Queue):
    """A queue encrypted at rest that answers over TLS only."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        settings: StageSettings,
        visibility: Duration,
        retention: Duration,
        dead_letters: sqs.DeadLetterQueue | None = None,
    ) -> None:
        super().__init__(
            scope,
            construct_id,
            queue_name=settings.physical_name(name),
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=settings.tls_only,
            retention_period=retention,
            visibility_timeout=visibility,
            dead_letter_queue=dead_letters,
        )
        self.name = settings.physical_name(name)
        if not settings.tls_only:
            acknowledge(self, "SQS4", PLAIN_HTTP)


class ParkingQueue(Construct):
    """Messages that no function can act on, kept for a person, who is told.

    ``subject``: a function at which that person looks first, and not at the queue. ``concern``: the
    cause of the messages, which says how soon the person is told.
    """

    def __init__(  # noqa: PLR0913 - keyword-only properties, as for any construct
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        settings: StageSettings,
        meaning: str,
        runbook: Runbook,
        alerts: Alerts,
        subject: str = "",
        concern: Concern = Concern.OUTAGE,
    ) -> None:
        super().__init__(scope, construct_id)
        self.queue = SealedQueue(
            self,
            "Queue",
            name=name,
            settings=settings,
            visibility=Duration.minutes(5),
            retention=Duration.days(14),
        )
        acknowledge(self.queue, "SQS3", "It is itself where failed messages end; people read it.")
        alerts.alarm(
            self,
            "Depth",
            name=settings.physical_name(f"{name}-depth"),
            meaning=meaning,
            metric=queue_metric("ApproximateNumberOfMessagesVisible", self.queue.name),
            threshold=1,
            # No function reads it. SQS sends metrics of a queue for six hours after the last
            # request, even while messages wait: the alarm keeps its state until a person comes.
            when_silent=cw.TreatMissingData.IGNORE,
            runbook=runbook,
            subject=subject or self.queue.name,
            concern=concern,
        )
