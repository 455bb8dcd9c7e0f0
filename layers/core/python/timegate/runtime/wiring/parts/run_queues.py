"""Wiring of the way into the run queues."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.runtime.environment import trace_header
from timegate.runtime.telemetry import LambdaTelemetry

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def publisher(
    sqs: "SQSClient", queue_urls: Mapping[str, str], telemetry: LambdaTelemetry
) -> SqsPublisher:
    """Build the way into the run queues."""
    return SqsPublisher(sqs, queue_urls, telemetry=telemetry, trace_header=trace_header)
