"""Calls of DynamoDB by botocore, with bodies that are read and written as the JSON that they are.

Botocore walks through each body by its model, for types that no item of Timegate's has: bytes and
times. It finds the endpoint anew for each call. Signatures, connections, retries, errors and other
operations are left to it. The steps are its own attributes: the layer has the one version that is
tested.
"""

import json
from typing import TYPE_CHECKING, Any

from botocore.parsers import JSONParser

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Operations whose bodies hold text, numbers, truth and containers of them.
CALLS = frozenset(
    {
        "BatchExecuteStatement",
        "BatchGetItem",
        "BatchWriteItem",
        "GetItem",
        "PutItem",
        "Query",
        "Scan",
        "TransactWriteItems",
        "UpdateItem",
    }
)
_ANSWERS = frozenset(f"{call}Output" for call in CALLS)
#: The stubs know few parts of it.
_JsonParser: Any = JSONParser


class KnownEndpoints:
    """Endpoints of operations, found once: a function names its tables, never by an ARN."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._found: dict[str, Any] = {}

    def construct_endpoint(self, operation_model: Any, call_args: Any, request_context: Any) -> Any:
        """Return the endpoint of an operation."""
        found = self._found.get(operation_model.name)
        if found is None:
            found = self._rules.construct_endpoint(operation_model, call_args, request_context)
            self._found[operation_model.name] = found
        return found

    def __getattr__(self, name: str) -> Any:
        """Leave all else to the rules."""
        return getattr(self._rules, name)


class JsonSerializer:
    """Write requests."""

    def __init__(self, other: Any) -> None:
        self._other = other

    def serialize_to_request(
        self, parameters: dict[str, Any], operation_model: Any
    ) -> dict[str, Any]:
        """Return the parts of a request, as botocore's serializer does."""
        if operation_model.name not in CALLS:
            other: dict[str, Any] = self._other.serialize_to_request(parameters, operation_model)
            return other
        metadata = operation_model.metadata
        return {
            "url_path": "/",
            "query_string": "",
            "method": "POST",
            "headers": {
                "X-Amz-Target": f"{metadata['targetPrefix']}.{operation_model.name}",
                "Content-Type": f"application/x-amz-json-{metadata['jsonVersion']}",
            },
            "body": json.dumps(parameters).encode(),
        }


class AnswerParser(_JsonParser):  # type: ignore[misc]
    """Read answers."""

    def _handle_json_body(self, raw_body: bytes, shape: Any) -> Any:
        if shape.name in _ANSWERS:
            return self._parse_body_as_json(raw_body)
        return super()._handle_json_body(raw_body, shape)


class AnswerParsers:
    """Botocore's place for parsers, of one client."""

    def __init__(self) -> None:
        self._parser = AnswerParser()

    def create_parser(self, _protocol: str) -> AnswerParser:
        """Return the parser of DynamoDB's protocol."""
        return self._parser


def lighten(client: "DynamoDBClient") -> "DynamoDBClient":
    """Exchange three steps of this client's calls."""
    own: Any = client
    if not isinstance(own._serializer, JsonSerializer):
        own._serializer = JsonSerializer(own._serializer)
        own._ruleset_resolver = KnownEndpoints(own._ruleset_resolver)
        own._endpoint._response_parser_factory = AnswerParsers()
    return client
