"""Looks: the messages that bring the sweeper to its shards between two ticks."""

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cw
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.data.sealed_queue import SealedQueue
from infra.constructs.events.sources import QueueSource
from infra.constructs.observability.runbook import Runbook
from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.metrics import queue_metric
from infra.stage.delivery import LOOK_RETENTION_SECONDS, VISIBILITY_PER_TIMEOUT
from infra.stage.look_groups import looks_at_once


class Looks(Construct):
    """A queue that the sweeper's ticks write, and that feeds the sweeper."""

    def __init__(self, scope: Construct, construct_id: str, *, sweeper: SchedulerFunction) -> None:
        super().__init__(scope, construct_id)
        settings = sweeper.settings
        visibility = VISIBILITY_PER_TIMEOUT * settings.tick_timeout_seconds
        self.queue = SealedQueue(
            self,
            "Queue",
            name="looks",
            settings=settings,
            visibility=Duration.seconds(visibility),
            retention=Duration.seconds(LOOK_RETENTION_SECONDS),
        )
        acknowledge(self.queue, "SQS3", "A look that failed expires; the next one follows at once.")
        sweeper.allow(["sqs:SendMessage"], self.queue.queue_arn)
        sweeper.tell("LOOKS_QUEUE_URL", self.queue.queue_url)
        QueueSource(
            self,
            "Source",
            function=sweeper,
            queue=self.queue,
            max_concurrency=looks_at_once(settings),
            batch_size=1,
        )
        sweeper.alerts.alarm(
            self,
            "Silence",
            name=f"{sweeper.name}-looks-silence",
            meaning="No look reached the sweeper for five minutes: dead workers' runs wait longer.",
            metric=queue_metric("NumberOfMessagesReceived", self.queue.name, "Sum"),
            threshold=1,
            periods=5,
            comparison=cw.ComparisonOperator.LESS_THAN_THRESHOLD,
            when_silent=cw.TreatMissingData.BREACHING,
            runbook=Runbook.PLANNER_SILENCE,
        )
