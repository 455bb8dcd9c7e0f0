"""Limits of AWS on requests, checked before a client of a test sends one.

The SDK checks few of them, stubs and emulators fewer: a request that AWS refuses would pass there.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from botocore.model import ListShape, MapShape, OperationModel, Shape, StructureShape

from tests.support.services import messages, stored
from tests.support.services.limit_exceeded import refuse_above

#: Checks of an operation's parameters; each raises ``LimitExceeded``.
CHECKS: Mapping[tuple[str, str], Callable[[Mapping[str, Any]], object]] = {
    ("cloudwatch", "DescribeAlarms"): stored.check_alarms,
    ("cloudwatch", "GetMetricData"): stored.check_metrics,
    ("ecs", "DescribeTasks"): stored.check_described_tasks,
    ("ecs", "RunTask"): stored.check_task,
    ("events", "PutEvents"): messages.check_events,
    ("lambda", "Invoke"): messages.check_invocation,
    ("s3", "DeleteObjects"): stored.check_deleted,
    ("s3", "GetObject"): stored.check_object,
    ("s3", "PutObject"): stored.check_object,
    ("sns", "Publish"): messages.check_notification,
    ("sqs", "ChangeMessageVisibilityBatch"): messages.check_hidden,
    ("sqs", "DeleteMessageBatch"): messages.check_batch,
    ("sqs", "ReceiveMessage"): messages.check_receiving,
    ("sqs", "SendMessage"): messages.check_message,
    ("sqs", "SendMessageBatch"): messages.check_messages,
}


def enforce(client: Any) -> None:  # noqa: ANN401 - whichever client it is
    """Let a client refuse what AWS refuses; raises ``LimitExceeded`` from its calls."""
    client.meta.events.register_first("before-parameter-build", _check)


def _check(params: Mapping[str, Any], model: OperationModel, **_: object) -> None:
    service = model.service_model.service_name
    if service == "dynamodb":
        # Its engine in memory knows its limits.
        return
    if model.input_shape is not None:
        _check_shape(f"{service}.{model.name}", model.input_shape, params)
    check = CHECKS.get((service, model.name))
    if check is not None:
        check(params)


def _check_shape(place: str, shape: Shape, value: Any) -> None:  # noqa: ANN401 - a parameter
    """Hold a value against the maxima of its shape, which the SDK leaves to the service.

    Step Functions counts bytes: where a text is bounded, its bytes are.
    """
    most = shape.metadata.get("max")
    if most is not None:
        refuse_above(place, _size(value), most)
    for name, member, each in _members(shape, value):
        _check_shape(f"{place}.{name}", member, each)


def _members(shape: Shape, value: Any) -> Iterator[tuple[str, Shape, Any]]:  # noqa: ANN401
    """Yield the values within a value, with their names and shapes."""
    if isinstance(shape, StructureShape) and isinstance(value, Mapping):
        yield from (
            (name, shape.members[name], each)
            for name, each in value.items()
            if name in shape.members
        )
    elif isinstance(shape, ListShape):
        yield from ((str(place), shape.member, each) for place, each in enumerate(value))
    elif isinstance(shape, MapShape):
        yield from ((name, shape.value, each) for name, each in value.items())


def _size(value: Any) -> float:  # noqa: ANN401 - a parameter
    if isinstance(value, str):
        return len(value.encode())
    return value if isinstance(value, int | float) else len(value)
