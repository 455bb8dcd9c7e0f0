"""Calls of a client, counted as they leave."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Calls = Counter[str]


@contextmanager
def recorded(client: "DynamoDBClient") -> Iterator[Calls]:
    """The client's calls by operation, while the block runs; its threads' included."""
    calls: Calls = Counter()
    lock = Lock()

    def count(model: Any, **_: object) -> None:  # noqa: ANN401 - botocore's model of an operation
        with lock:
            calls[model.name] += 1

    client.meta.events.register("before-call.dynamodb", count)
    try:
        yield calls
    finally:
        client.meta.events.unregister("before-call.dynamodb", count)
