"""MiniStack's DynamoDB inside this process: the same code, without a network in between.

The clients are the real ones, down to the bytes they send and parse.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from threading import Lock
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import boto3
from botocore import UNSIGNED
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.config import Config
from ministack.core.responses import request_scope  # type: ignore[import-untyped]
from ministack.services import dynamodb  # type: ignore[import-untyped]

from infra.local.serving.copies import copy_items_as_trees
from infra.local.serving.expressions import read_expressions_once
from infra.local.serving.statements import parse_statements_once

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Signatures and agents' names are not read here: both take a third of a call's time.
UNREAD = Config(signature_version=UNSIGNED, user_agent="tests")

#: The emulator serves one request at a time: its own server has one thread.
_TURN = Lock()
ACCOUNT, REGION = "000000000000", "us-east-1"


read_expressions_once()
parse_statements_once()
copy_items_as_trees()


class _Body(io.BytesIO):
    """The body from which botocore reads an answer."""

    def stream(self, *_: object, **__: object) -> Iterator[bytes]:
        """All of it at once."""
        yield self.read()


def client_inside(config: Config, region: str = REGION) -> "DynamoDBClient":
    """A client of a region, whose requests stay in this process."""
    client = boto3.client(
        "dynamodb",
        region_name=region,
        endpoint_url=f"http://dynamodb.{region}.localhost",
        config=config.merge(UNREAD),
    )
    hook: Any = _send
    client.meta.events.register("before-send", hook)
    find_endpoint_once(client)
    return client


def find_endpoint_once(client: Any) -> None:  # noqa: ANN401 - a client of DynamoDB
    """Keep the endpoint of each operation; finding it anew took a sixth of a call's time."""
    resolver = client._ruleset_resolver
    find = resolver.construct_endpoint
    found: dict[str, Any] = {}

    def construct(operation_model: Any, call_args: Any, request_context: Any) -> Any:  # noqa: ANN401
        name = operation_model.name
        if name not in found:
            found[name] = find(operation_model, call_args, request_context)
        return found[name]

    resolver.construct_endpoint = construct


def serve(request: AWSPreparedRequest) -> AWSResponse:
    """Serve one request."""
    headers = {name.lower(): _text(value) for name, value in request.headers.items()}
    with _TURN, in_region(region_of(request)):
        served = dynamodb.handle_request(request.method, "/", headers, body_of(request), {})
        try:
            served.send(None)
        except StopIteration as stopped:
            status, answered, body = stopped.value
        else:  # pragma: no cover
            raise AssertionError("MiniStack's DynamoDB waits for something.")
    content = body if isinstance(body, bytes) else body.encode()
    return answer(request, status, answered, content)


def region_of(request: AWSPreparedRequest) -> str:
    """The region that a request is sent to."""
    return (urlsplit(request.url).hostname or "").split(".")[1]


def in_region(region: str) -> AbstractContextManager[None]:
    """Reach a region's tables: those of another one are others, also under the same name."""
    scope: AbstractContextManager[None] = request_scope(ACCOUNT, region)
    return scope


def answer(
    request: AWSPreparedRequest, status: int, headers: Mapping[str, str], body: bytes
) -> AWSResponse:
    """An answer as it would come from the network."""
    lowered: Any = {name.lower(): text for name, text in headers.items()}
    response: Any = AWSResponse(request.url, status, lowered, _Body(body))
    if not request.stream_output:
        response._content = body
    return cast("AWSResponse", response)


def body_of(request: AWSPreparedRequest) -> bytes:
    """The bytes that would go out."""
    body: Any = request.body
    if isinstance(body, str):
        return body.encode()
    return bytes(body if isinstance(body, (bytes, bytearray)) else body.read())


def _send(request: AWSPreparedRequest, **_: object) -> AWSResponse:
    return serve(request)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
