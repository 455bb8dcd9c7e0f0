"""Calls of DynamoDB with botocore's retries and errors, and with lighter steps of a call.

Requests and answers about items are JSON as DynamoDB sends it. botocore walks through each of them
by its model, for types that no item of Timegate's has: bytes and times. It writes the headers three
times to sign them, and finds the endpoint anew. Errors and other operations are left to botocore.
The steps are its own attributes: the layer has the one version that is tested.
"""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from botocore.auth import SIGNED_HEADERS_BLACKLIST, SIGV4_TIMESTAMP
from botocore.awsrequest import AWSPreparedRequest
from botocore.compat import get_current_datetime
from botocore.endpoint import Endpoint, convert_to_response_dict
from botocore.exceptions import NoCredentialsError
from botocore.handlers import add_retry_headers
from botocore.hooks import first_non_none_response

from timegate.runtime.kept_connections import KeptConnections, host_of

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
#: The stubs know few parts of them.
_Endpoint: Any = Endpoint
_PreparedRequest: Any = AWSPreparedRequest
_UNSIGNED = frozenset(SIGNED_HEADERS_BLACKLIST)
#: Keys that are kept: of today, and of yesterday's last requests.
_MOST_KEYS = 4


class RequestSignature:
    """Signs requests of one client."""

    def __init__(self, credentials: Any, *, service: str, region: str) -> None:
        self._credentials = credentials
        self._service, self._region = service, region
        self._keys: dict[tuple[str, str, str, str], bytes] = {}

    @classmethod
    def of(cls, signer: Any) -> "RequestSignature":
        """Sign with the credentials of botocore's signer."""
        return cls(
            signer._credentials,
            service=signer.signing_name,
            region=signer.region_name,
        )

    def sign(
        self, headers: dict[str, str], *, host: str, body: bytes, context: dict[str, Any]
    ) -> None:
        """Add headers that prove who sends this to ``/``; raises ``NoCredentialsError``.

        ``context``: says which service and region the endpoint belongs to.
        """
        if self._credentials is None:
            raise NoCredentialsError
        who, at = self._credentials.get_frozen_credentials(), get_current_datetime()
        stamp = at.strftime(SIGV4_TIMESTAMP)
        headers["X-Amz-Date"] = stamp
        if who.token:
            headers["X-Amz-Security-Token"] = who.token
        told = context.get("signing", {})
        region = told.get("region") or self._region
        service = told.get("signing_name") or self._service
        names, request = _canonical({**headers, "host": host}, body)
        scope = f"{stamp[:8]}/{region}/{service}/aws4_request"
        digest = sha256(request.encode()).hexdigest()
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{digest}"
        key = self._key(who.secret_key, stamp[:8], region, service)
        headers["Authorization"] = (
            f"AWS4-HMAC-SHA256 Credential={who.access_key}/{scope}, SignedHeaders={names}, "
            f"Signature={hmac.digest(key, text.encode(), 'sha256').hex()}"
        )

    def _key(self, secret: str, day: str, region: str, service: str) -> bytes:
        """Return the key of a day, which credentials change more often."""
        place = (secret, day, region, service)
        key = self._keys.get(place)
        if key is None:
            key = f"AWS4{secret}".encode()
            for part in (day, region, service, "aws4_request"):
                key = hmac.digest(key, part.encode(), "sha256")
            if len(self._keys) >= _MOST_KEYS:
                self._keys.clear()
            self._keys[place] = key
        return key


def _canonical(headers: dict[str, str], body: bytes) -> tuple[str, str]:
    """Return the names of the signed headers, and the text that is signed."""
    lowered = ((name.lower(), value) for name, value in headers.items())
    signed = sorted(each for each in lowered if each[0] not in _UNSIGNED)
    names = ";".join([name for name, _ in signed])
    lines = "".join([f"{name}:{' '.join(value.split())}\n" for name, value in signed])
    return names, f"POST\n/\n\n{lines}\n{names}\n{sha256(body).hexdigest()}"


class KnownEndpoints:
    """Endpoints of operations, found once: a function names its tables, never by an ARN."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._found: dict[str, Any] = {}

    def construct_endpoint(
        self,
        operation_model: Any,
        call_args: Any,
        request_context: Any,
    ) -> Any:
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
        self,
        parameters: dict[str, Any],
        operation_model: Any,
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


def answer_of(response: Any) -> dict[str, Any] | None:
    """Read the answer of a success; ``None``: its body is no JSON object."""
    try:
        said = json.loads(response.content)
    except ValueError:
        return None
    if not isinstance(said, dict):
        return None
    headers = response.headers
    said["ResponseMetadata"] = {
        "RequestId": headers.get("x-amzn-requestid"),
        "HTTPStatusCode": response.status_code,
        "HTTPHeaders": headers,
    }
    return said


class LightEndpoint(_Endpoint):  # type: ignore[misc]
    """Signs and sends requests about items; retries, throttles and errors are botocore's."""

    def __init__(self, other: Any, signature: RequestSignature | None) -> None:
        super().__init__(
            other.host,
            other._endpoint_prefix,
            other._event_emitter,
            other._response_parser_factory,
            KeptConnections(other.http_session),
        )
        self._signature = signature

    def create_request(self, params: Mapping[str, Any], operation_model: Any = None) -> Any:
        """Return a signed request; each attempt has one of its own."""
        signature = self._signature
        if signature is None or operation_model is None or operation_model.name not in CALLS:
            return super().create_request(params, operation_model)
        url, body, headers = params["url"], params["body"], dict(params["headers"])
        request = _PreparedRequest("POST", url, headers, body, stream_output=False)
        request.context = params["context"]
        signature.sign(headers, host=host_of(urlsplit(url)), body=body, context=request.context)
        add_retry_headers(request)
        headers["Content-Length"] = str(len(body))
        return request

    def _get_response(self, request: Any, operation_model: Any, context: Any) -> Any:
        """Return an answer with what it says, or the error that judges of retries look at."""
        if operation_model.name not in CALLS:
            return super()._get_response(request, operation_model, context)
        name = f"before-send.dynamodb.{operation_model.name}"
        try:
            answer = first_non_none_response(self._event_emitter.emit(name, request=request))
            answer = self._send(request) if answer is None else answer
        except Exception as error:  # noqa: BLE001 - any error may pass
            return None, error
        said = answer_of(answer) if answer.status_code == HTTPStatus.OK else None
        return (answer, said or self._told(answer, operation_model)), None

    def _told(self, answer: Any, operation_model: Any) -> Any:
        """Read an answer as botocore does: an error, or a body that is no JSON."""
        response = convert_to_response_dict(answer, operation_model)
        protocol = operation_model.service_model.resolved_protocol
        parser = self._response_parser_factory.create_parser(protocol)
        said = parser.parse(response, operation_model.output_shape)
        if answer.status_code >= HTTPStatus.MULTIPLE_CHOICES:
            self._add_modeled_error_fields(response, said, operation_model, parser)
        return said

    def _needs_retry(
        self,
        attempts: Any,
        operation_model: Any,
        request_dict: Any,
        response: Any = None,
        caught_exception: Any = None,
    ) -> Any:
        """Tell if a request is to be sent again; a success is not."""
        if response is not None and response[0].status_code == HTTPStatus.OK:
            return False
        return super()._needs_retry(
            attempts, operation_model, request_dict, response, caught_exception
        )


def lighten(client: "DynamoDBClient") -> "DynamoDBClient":
    """Exchange the steps of this client's calls; a client that is told not to sign does not."""
    own: Any = client
    if isinstance(own._endpoint, LightEndpoint):
        return client
    signs = own.meta.config.signature_version == "v4"
    signature = RequestSignature.of(own._request_signer) if signs else None
    own._endpoint = LightEndpoint(own._endpoint, signature)
    own._serializer = JsonSerializer(own._serializer)
    own._ruleset_resolver = KnownEndpoints(own._ruleset_resolver)
    return client
