"""Dead letter: ends runs whose messages kill their workers."""

from constructs import Construct

from infra.constructs.events.sources import QueueSource
from infra.constructs.runtime import places
from infra.constructs.runtime.description import TABLES, Description, Given, Seldom, allow, always
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.stage.capacity import LEAST_SOURCE_CONCURRENCY
from infra.stage.delivery import DEAD_LETTER_TIMEOUT_SECONDS, VISIBILITY_PER_TIMEOUT

#: A message that it fails at is hidden for so long, and is in no count of messages that wait.
_AGAIN_MINUTES = VISIBILITY_PER_TIMEOUT * DEAD_LETTER_TIMEOUT_SECONDS // 60

DEAD_LETTER = Description(
    name="dead_letter",
    timeout_seconds=always(DEAD_LETTER_TIMEOUT_SECONDS),
    seldom=Seldom(every_minutes=_AGAIN_MINUTES, failures=3),
    variables=(*TABLES, "REJECTED_QUEUE_URL"),
    rights=(
        allow(["dynamodb:BatchGetItem", "dynamodb:PutItem"], places.runs),
        allow(["dynamodb:BatchGetItem"], places.jobs),
        allow(["sqs:SendMessage"], places.rejected),
    ),
)


class DeadLetter(SchedulerFunction):
    """Consumes every dead-letter queue and dead-letters the runs it finds there."""

    def __init__(
        self, scope: Construct, construct_id: str, *, context: FunctionContext, given: Given
    ) -> None:
        super().__init__(scope, construct_id, context=context, description=DEAD_LETTER, given=given)
        for key, run_queue in given.stores.queues.by_key.items():
            QueueSource(
                self,
                str(key),
                function=self,
                queue=run_queue.dead_letters,
                # Dead letters are rare, and no hurry.
                max_concurrency=LEAST_SOURCE_CONCURRENCY,
            )
