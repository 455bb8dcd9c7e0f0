"""Dead letter: ends runs whose messages kill their workers."""

from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.run_queues import DEAD_LETTER_TIMEOUT
from infra.constructs.data.stores import Stores
from infra.constructs.events.sources import QueueSource
from infra.constructs.runtime.scheduler_function import FunctionContext, SchedulerFunction
from infra.stage.capacity import LEAST_SOURCE_CONCURRENCY


class DeadLetter(SchedulerFunction):
    """Consumes every dead-letter queue and dead-letters the runs it finds there."""

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
            name="dead_letter",
            timeout=DEAD_LETTER_TIMEOUT,
            environment={
                "JOBS_TABLE": stores.jobs.name,
                "RUNS_TABLE": stores.runs.name,
                "SHARDS": str(settings.shards),
                "RUN_RETENTION_DAYS": str(settings.run_retention_days),
                "REJECTED_QUEUE_URL": rejected.queue_url,
            },
        )
        self.allow(["dynamodb:BatchGetItem", "dynamodb:PutItem"], stores.runs.arn)
        self.allow(["dynamodb:BatchGetItem"], stores.jobs.arn)
        self.allow(["sqs:SendMessage"], rejected.queue_arn)
        for key, run_queue in stores.queues.by_key.items():
            QueueSource(
                self,
                str(key),
                function=self,
                queue=run_queue.dead_letters,
                # Dead letters are rare, and no hurry.
                max_concurrency=LEAST_SOURCE_CONCURRENCY,
            )
        self.alarm_on_failures()
