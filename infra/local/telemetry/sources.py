"""Sources of metrics: lines in CloudWatch's embedded format, queues, and readers of streams."""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from ministack.core.arn import parse_arn  # type: ignore[import-untyped]
from ministack.services import (  # type: ignore[import-untyped]
    apigateway,
    cloudwatch,
    dynamodb,
    lambda_svc,
    sqs,
)


def forward_embedded_metrics() -> None:
    """Store the metrics of each log line in the embedded format, as CloudWatch Logs does."""
    emit: Callable[..., None] = lambda_svc._emit_lambda_logs

    def forwarding(func: Any, request_id: str, log_text: str, *more: Any, **named: Any) -> None:
        emit(func, request_id, log_text, *more, **named)
        for line in (log_text or "").splitlines():
            if line.startswith("{") and '"_aws"' in line:
                with suppress(ValueError, KeyError, TypeError):
                    store(json.loads(line))

    lambda_svc._emit_lambda_logs = forwarding


def store(line: dict[str, Any]) -> None:
    """Store the metrics of one line: a value, or a list of them, for each set of dimensions."""
    at = line["_aws"]["Timestamp"] / 1000
    for directive in line["_aws"]["CloudWatchMetrics"]:
        for names in directive["Dimensions"]:
            dimensions = {name: str(line[name]) for name in names}
            key = cloudwatch._dims_key(dimensions)
            for metric in directive["Metrics"]:
                given = line[metric["Name"]]
                bucket = cloudwatch._metric_bucket((directive["Namespace"], metric["Name"], key))
                bucket += (
                    {
                        "Timestamp": at,
                        "Value": float(value),
                        "Unit": metric.get("Unit", "None"),
                        "Dimensions": dimensions,
                    }
                    for value in (given if isinstance(given, list) else [given])
                )


def count_received_messages() -> None:
    """Record how many messages of a queue are received, by functions and by callers."""
    collect: Callable[..., list[Any]] = sqs._collect_msgs

    def counted(queue: dict[str, Any], *more: Any) -> list[Any]:
        found = collect(queue, *more)
        if found:
            _record_of_queue(queue, "NumberOfMessagesReceived", len(found))
        return found

    sqs._collect_msgs = counted


def count_requests() -> None:
    """Record each request to an HTTP API: if it failed, and how long it took, milliseconds."""
    execute: Callable[..., Any] = apigateway.handle_execute

    async def counted(api_id: str, *more: Any, **named: Any) -> Any:
        began = time.perf_counter()
        answer = await execute(api_id, *more, **named)
        for name, value in requested(answer[0], time.perf_counter() - began):
            cloudwatch.record_metric("AWS/ApiGateway", name, value, "None", {"ApiId": api_id})
        return answer

    apigateway.handle_execute = counted


def requested(status: int, seconds: float) -> Iterator[tuple[str, float]]:
    """Yield the metrics of a request that was answered with a status."""
    yield "Count", 1
    yield "4xx", status // 100 == 4  # noqa: PLR2004 - errors of callers
    yield "5xx", status // 100 == 5  # noqa: PLR2004 - errors of servers
    yield "Latency", 1000 * seconds


def sample() -> None:
    """Record the depth and age of each queue, and how far each reader is behind its stream."""
    for queue in list(sqs._queues.values()):
        for name, value in depths(queue, time.time()):
            _record_of_queue(queue, name, value)
    for reader, age in _ages(time.time()):
        cloudwatch.record_metric(
            "AWS/Lambda", "IteratorAge", age, "Milliseconds", {"FunctionName": reader}
        )


def depths(queue: dict[str, Any], now: float) -> Iterator[tuple[str, float]]:
    """Yield the metrics of a queue at an instant; those that are due alone have an age."""
    due = [each for each in queue["messages"] if each["visible_at"] <= now]
    hidden = [each for each in queue["messages"] if each["visible_at"] > now]
    yield "ApproximateNumberOfMessagesVisible", len(due)
    in_flight = sum(each["receive_count"] > 0 for each in hidden)
    yield "ApproximateNumberOfMessagesNotVisible", in_flight
    yield "ApproximateNumberOfMessagesDelayed", len(hidden) - in_flight
    oldest = min((each["sent_at"] for each in due), default=now)
    yield "ApproximateAgeOfOldestMessage", now - oldest


def _record_of_queue(queue: dict[str, Any], name: str, value: float) -> None:
    arn = queue["attributes"]["QueueArn"]
    cloudwatch.record_metric("AWS/SQS", name, value, "None", {"QueueName": arn.rsplit(":", 1)[1]})


def _ages(now: float) -> Iterator[tuple[str, float]]:
    """Yield each reader of a stream and the age of its oldest unread record, milliseconds."""
    for _, _, source in list(lambda_svc._iter_all_esms()):
        spec = parse_arn(source.get("EventSourceArn", ""))
        found = lambda_svc._dynamodb_stream_table_from_arn_spec(spec)
        at = lambda_svc._dynamodb_stream_positions.get(source["UUID"])
        if found is None or at is None:
            continue
        unread = dynamodb.stream_records_since(found[0], at, 1)
        begun = [each["dynamodb"]["ApproximateCreationDateTime"] for each in unread]
        yield source["FunctionName"], 1000 * max(0.0, now - min(begun, default=now))
