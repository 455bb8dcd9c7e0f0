"""Event sources: what feeds a function, with failures reported one by one."""

import json
from collections.abc import Sequence
from typing import Any

from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.data.tables import SchedulerTable
from infra.constructs.runtime.scheduler_function import SchedulerFunction
from infra.stage.delivery import STREAMS
from infra.stage.peak_choice import most_pollers

_PARTIAL_FAILURES = ["ReportBatchItemFailures"]


class QueueSource(Construct):
    """Feeds a function from a queue, at once, and lets it consume that queue alone."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        function: SchedulerFunction,
        queue: sqs.IQueue,
        max_concurrency: int,
        batch_size: int = 10,
        pollers: int | None = None,
    ) -> None:
        """``pollers``: that are there at rest; ``None``: the source begins from few, for nothing.

        Both modes invoke ``max_concurrency`` batches at once at most; AWS takes one of them.
        """
        super().__init__(scope, construct_id)
        # Rights of an event source; a function that hides messages itself is allowed that beside.
        function.allow(
            ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
            queue.queue_arn,
        )
        lambda_.CfnEventSourceMapping(
            self,
            "Mapping",
            function_name=function.live.function_arn,
            event_source_arn=queue.queue_arn,
            batch_size=batch_size,
            maximum_batching_window_in_seconds=0,
            function_response_types=_PARTIAL_FAILURES,
            **_scaling(max_concurrency, pollers),
        )


def _scaling(max_concurrency: int, pollers: int | None) -> dict[str, Any]:
    mapping = lambda_.CfnEventSourceMapping
    if pollers is None:
        return {
            "scaling_config": mapping.ScalingConfigProperty(maximum_concurrency=max_concurrency)
        }
    config = mapping.ProvisionedPollerConfigProperty(
        minimum_pollers=pollers, maximum_pollers=most_pollers(max_concurrency)
    )
    return {"provisioned_poller_config": config}


class StreamSource(Construct):
    """Feeds a function the records of a table that match ``filters`` (any of them).

    A record that always fails must not block its shard: batches are bisected, retries bounded,
    and what still fails is described in the ``rejected`` queue.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        function: SchedulerFunction,
        table: SchedulerTable,
        filters: Sequence[object],
        rejected: sqs.IQueue,
        parallelism: int,
        batch_size: int = STREAMS.batch_size,
    ) -> None:
        super().__init__(scope, construct_id)
        function.allow(
            [
                "dynamodb:DescribeStream",
                "dynamodb:GetRecords",
                "dynamodb:GetShardIterator",
                "dynamodb:ListStreams",
            ],
            table.stream_arn,
        )
        mapping = lambda_.CfnEventSourceMapping
        mapping(
            self,
            "Mapping",
            function_name=function.live.function_arn,
            event_source_arn=table.stream_arn,
            # Not LATEST: a record written while the mapping is made would never be read.
            starting_position="TRIM_HORIZON",
            batch_size=batch_size,
            maximum_batching_window_in_seconds=0,
            parallelization_factor=parallelism,
            bisect_batch_on_function_error=True,
            maximum_retry_attempts=STREAMS.retries,
            maximum_record_age_in_seconds=STREAMS.max_record_age_seconds,
            function_response_types=_PARTIAL_FAILURES,
            filter_criteria=mapping.FilterCriteriaProperty(
                filters=[mapping.FilterProperty(pattern=json.dumps(each)) for each in filters]
            ),
            destination_config=mapping.DestinationConfigProperty(
                on_failure=mapping.OnFailureProperty(destination=rejected.queue_arn)
            ),
        )
