"""The run queues: priority by resource class, each with its dead letters, made by one loop."""

from collections.abc import Mapping

from aws_cdk import Duration, Stack
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.sealed_queue import SealedQueue
from infra.constructs.observability.alerts import Alerts
from infra.constructs.observability.runbook import Runbook
from infra.metrics import queue_metric
from infra.stage.delivery import DEAD_LETTER_TIMEOUT_SECONDS, VISIBILITY_PER_TIMEOUT
from infra.stage.settings import QUEUE_KEYS, QueueKey, StageSettings

#: A message that this many receives did not finish is poison.
MAX_RECEIVES = 4


class RunQueue(Construct):
    """One priority and resource class: the queue, its dead letters, and an alarm on each."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        key: QueueKey,
        settings: StageSettings,
        alerts: Alerts,
    ) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters = SealedQueue(
            self,
            "DeadLetters",
            name=f"{key}-dlq",
            settings=settings,
            visibility=Duration.seconds(VISIBILITY_PER_TIMEOUT * DEAD_LETTER_TIMEOUT_SECONDS),
            # A message keeps the age it had, so its last home must hold it longer than its first.
            retention=Duration.days(14),
        )
        self.queue = SealedQueue(
            self,
            "Queue",
            name=str(key),
            settings=settings,
            visibility=Duration.seconds(settings.classes[key.resource_class].timeout_seconds),
            retention=Duration.days(4),
            dead_letters=sqs.DeadLetterQueue(
                queue=self.dead_letters, max_receive_count=MAX_RECEIVES
            ),
        )
        self._alarms(alerts, settings.thresholds.queue_age_seconds[key.priority])

    def _alarms(self, alerts: Alerts, age_seconds: int) -> None:
        alerts.alarm(
            self,
            "Age",
            name=f"{self.queue.name}-age",
            meaning=(
                "Runs wait in their queue for longer than their priority allows: it is served too "
                "slowly, or not at all, or one tenant floods it. "
                "ApproximateAgeOfOldestMessageInQuietGroups of the queue tells: low in a flood, "
                "as high as this age where nothing is served."
            ),
            metric=queue_metric("ApproximateAgeOfOldestMessage", self.queue.name),
            threshold=age_seconds,
            periods=3,
            runbook=Runbook.QUEUE_BACKLOG,
        )
        alerts.alarm(
            self,
            "Poison",
            name=f"{self.dead_letters.name}-depth",
            meaning="Poison messages wait: the dead-letter function does not clear them.",
            metric=queue_metric("ApproximateNumberOfMessagesVisible", self.dead_letters.name),
            threshold=1,
            runbook=Runbook.POISON_MESSAGES,
        )


class RunQueues(Construct):
    """Every run queue."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, alerts: Alerts
    ) -> None:
        super().__init__(scope, construct_id)
        self.by_key: Mapping[QueueKey, RunQueue] = {
            key: RunQueue(self, str(key), key=key, settings=settings, alerts=alerts)
            for key in QUEUE_KEYS
        }

    @property
    def arns(self) -> list[str]:
        """The run queues, without their dead letters."""
        return [each.queue.queue_arn for each in self.by_key.values()]

    def urls(self, reader: Construct) -> str:
        """JSON ``{"critical-short": url, …}`` for ``reader``'s stack."""
        urls = {str(key): each.queue.queue_url for key, each in self.by_key.items()}
        return Stack.of(reader).to_json_string(urls)

    def dead_letter_urls(self, reader: Construct) -> str:
        """JSON ``{"critical-short": url, …}`` of the dead-letter queues."""
        urls = {str(key): each.dead_letters.queue_url for key, each in self.by_key.items()}
        return Stack.of(reader).to_json_string(urls)
