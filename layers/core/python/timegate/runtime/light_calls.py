"""Calls of DynamoDB by botocore that cost less, and say, ask and raise the same.

Botocore walks through each body by its model, for types that no item of Timegate's has: bytes and
times. It finds the endpoint anew for each call, keeps headers as those of a mail, and looks each
one up several times. Credentials, retries, errors and other operations are left to it, and so are
the rules of signatures. The steps are its own attributes: the layer has the one version that is
tested.
"""

import hmac
import json
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from botocore import auth
from botocore.awsrequest import AWSPreparedRequest
from botocore.endpoint import Endpoint
from botocore.parsers import JSONParser

from timegate.runtime.light_connections import send_at_once

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
#: The stubs know few parts of them.
_Endpoint: Any = Endpoint
_Prepared: Any = AWSPreparedRequest
_auth: Any = auth
_JsonParser: Any = JSONParser
_UNSIGNED = frozenset(_auth.SIGNED_HEADERS_BLACKLIST)
#: The host by an address: a client has one for each of its operations.
_host_of = lru_cache(maxsize=16)(_auth._host_from_url)


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


class _Headers(dict[str, str]):
    """Headers, each once, which botocore's handlers may replace as those of a mail."""

    def replace_header(self, name: str, value: str) -> None:
        """Set a header that is there."""
        self[name] = value


class TableRequest:
    """A request that is being made: botocore's handlers add headers to it, and sign it."""

    stream_output = False

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self.method: str = parts["method"]
        self.url: str = parts["url"]
        self.headers = _Headers(parts["headers"])
        self.params: dict[str, str] = {}
        self.body: bytes = parts["body"]
        self.context: dict[str, Any] = parts["context"]

    def prepare(self) -> Any:
        """Return the request as it is sent."""
        headers = {**self.headers, "Content-Length": str(len(self.body))}
        return _Prepared(
            self.method, self.url, headers, self.body, stream_output=False, context=self.context
        )


class TableEndpoint(_Endpoint):  # type: ignore[misc]
    """Botocore's endpoint, which makes ``TableRequest`` of some operations."""

    def __init__(self, other: Any) -> None:
        session, parsers = other.http_session, AnswerParsers()
        super().__init__(other.host, other._endpoint_prefix, other._event_emitter, parsers, session)

    def create_request(self, params: dict[str, Any], operation_model: Any = None) -> Any:
        """Return a signed request."""
        if operation_model is None or operation_model.name not in CALLS:
            return super().create_request(params, operation_model)
        request = TableRequest(params)
        service = operation_model.service_model.service_id.hyphenize()
        name = operation_model.name
        self._event_emitter.emit(
            f"request-created.{service}.{name}", request=request, operation_name=name
        )
        return request.prepare()


class TableSignature(_auth.SigV4Auth):  # type: ignore[misc]
    """Botocore's signature, over headers as they are, with the key of a day derived once."""

    def headers_to_sign(self, request: Any) -> Any:
        """Return the headers that are signed, by names in lower case."""
        if not isinstance(request, TableRequest):
            return super().headers_to_sign(request)
        named = {name.lower(): value for name, value in request.headers.items()}
        signed = {name: value for name, value in named.items() if name not in _UNSIGNED}
        return {"host": _host_of(request.url), **signed}

    def canonical_headers(self, headers_to_sign: Any) -> str:
        """Return the lines of the headers that are signed."""
        if not isinstance(headers_to_sign, dict):
            lines: str = super().canonical_headers(headers_to_sign)
            return lines
        ordered = sorted(headers_to_sign.items())
        return "\n".join(f"{name}:{self._header_value(value)}" for name, value in ordered)

    def signature(self, string_to_sign: str, request: Any) -> str:
        """Sign what says all of a request."""
        day = request.context["timestamp"][:8]
        key = _key_of(self.credentials.secret_key, day, self._region_name, self._service_name)
        return hmac.new(key, string_to_sign.encode(), sha256).hexdigest()


@lru_cache(maxsize=2)
def _key_of(secret: str, *scope: str) -> bytes:
    """Derive the key that signs within a scope: a day, a Region and a service.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
    """
    key = f"AWS4{secret}".encode()
    for part in (*scope, "aws4_request"):
        key = hmac.new(key, part.encode(), sha256).digest()
    return key


class TableSignatures:
    """The place of a signer that finds signatures, by a request's credentials."""

    def __init__(self, find: Any) -> None:
        self._find = find

    def __call__(self, *args: Any, **chosen: Any) -> Any:
        """Return what signs a request."""
        found = self._find(*args, **chosen)
        if type(found) is not _auth.SigV4Auth:
            return found
        return TableSignature(found.credentials, found._service_name, found._region_name)


def lighten(client: "DynamoDBClient") -> "DynamoDBClient":
    """Exchange steps of this client's calls."""
    own: Any = client
    if not isinstance(own._serializer, JsonSerializer):
        own._serializer = JsonSerializer(own._serializer)
        own._ruleset_resolver = KnownEndpoints(own._ruleset_resolver)
        own._endpoint = TableEndpoint(own._endpoint)
        signer = own._request_signer
        signer.get_auth_instance = TableSignatures(signer.get_auth_instance)
        send_at_once(client)
    return client
