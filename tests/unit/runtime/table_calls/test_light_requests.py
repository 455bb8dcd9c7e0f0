"""Requests of tables are signed as botocore signs them, and sent at once."""

import json
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import ReadOnlyCredentials
from botocore.exceptions import SSLError
from botocore.session import Session

from tests.support.targets.certificates import Authority
from tests.unit.runtime.table_calls.conftest import NewClient, ScriptedTables, answer
from timegate.runtime import clients
from timegate.runtime.light_calls import TableRequest, TableSignature
from timegate.runtime.light_connections import PlainConnection

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY: Any = {"pk": {"S": "a"}}
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
TODAY = datetime(2026, 11, 28, 23, 59, 59, tzinfo=UTC)
TOMORROW = datetime(2026, 11, 29, 0, 0, 0, tzinfo=UTC)


def _signed(kind: type, request: Any, credentials: ReadOnlyCredentials) -> dict[str, str]:  # noqa: ANN401
    """The headers of a request, once it is signed."""
    kind(credentials, "dynamodb", "eu-central-1").add_auth(request)
    return {name.lower(): value for name, value in request.headers.items()}


def _parts(url: str, body: bytes, headers: dict[str, str]) -> dict[str, Any]:
    return {"method": "POST", "url": url, "headers": headers, "body": body, "context": {}}


@pytest.mark.parametrize("token", [None, "a session"])
@pytest.mark.parametrize("now", [TODAY, TOMORROW])
@pytest.mark.parametrize("secret", [SECRET, SECRET.lower()])
@pytest.mark.parametrize(
    "url",
    [
        "https://dynamodb.eu-central-1.amazonaws.com/",
        "https://dynamodb.eu-central-1.amazonaws.com:443/",
        "http://127.0.0.1:4566/",
        "http://[::1]:4566/",
    ],
)
def test_a_signature_is_botocores(
    url: str, secret: str, now: datetime, token: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By each day, secret, session and host, over headers with names and spaces of any kind."""
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda: now)
    credentials = ReadOnlyCredentials("AKIDEXAMPLE", secret, token)
    body = b'{"TableName": "t"}'
    headers = {
        "X-Amz-Target": "DynamoDB_20120810.GetItem",
        "Content-Type": "application/x-amz-json-1.0",
        "User-Agent": "not signed",
        "X-Two": "  two   spaces ",
    }
    theirs = AWSRequest("POST", url, headers, body)
    ours = TableRequest(_parts(url, body, headers))

    expected = _signed(SigV4Auth, theirs, credentials)

    assert _signed(TableSignature, ours, credentials) == expected
    assert "user-agent" not in expected["authorization"]
    assert "x-two" in expected["authorization"]


def test_a_repetition_is_signed_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its headers are those of its own instant, and no earlier signature is signed."""
    credentials = ReadOnlyCredentials("AKIDEXAMPLE", SECRET, "a session")
    twice = TableRequest(_parts("http://127.0.0.1:1/", b"{}", {}))
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda: TODAY)
    first = _signed(TableSignature, twice, credentials)
    monkeypatch.setattr("botocore.auth.get_current_datetime", lambda: TOMORROW)

    again = _signed(TableSignature, twice, credentials)

    once = TableRequest(_parts("http://127.0.0.1:1/", b"{}", {}))
    assert again == _signed(TableSignature, once, credentials)
    assert again["authorization"] != first["authorization"]


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Calls of sockets that begin a request."""
    sent: list[bytes] = []
    plainly = socket.socket.sendall

    def sendall(self: socket.socket, data: Any, *flags: int) -> None:  # noqa: ANN401
        if data.startswith(b"POST"):
            sent.append(bytes(data))
        plainly(self, data, *flags)

    monkeypatch.setattr(socket.socket, "sendall", sendall)
    return sent


def test_a_request_is_sent_at_once(
    own: "DynamoDBClient", tables: ScriptedTables, sent: list[bytes]
) -> None:
    """Headers and body leave by one call of the socket, over one connection of one pool."""
    for _ in range(3):
        own.get_item(TableName="t", Key=KEY)

    bodies = [body for _, body in tables.requests]
    assert [each.partition(b"\r\n\r\n")[2] for each in sent] == bodies
    assert (len(bodies), tables.connections) == (3, 1)
    pools: Any = own._endpoint.http_session._manager.connection_from_url  # type: ignore[attr-defined]
    assert (pools.cache_info().misses, pools.cache_info().hits) == (1, 2)


def test_a_request_of_a_queue_is_sent_at_once(
    tables: ScriptedTables, sent: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Queues take requests as tables do."""
    monkeypatch.setattr(clients, "_own", Session)
    monkeypatch.setenv("AWS_ENDPOINT_URL_SQS", f"http://127.0.0.1:{tables.port}")
    tables.answers = [answer({"QueueUrl": "https://sqs.example.com/1/q"})]
    client = clients.sqs()

    assert client.get_queue_url(QueueName="q")["QueueUrl"] == "https://sqs.example.com/1/q"

    (body,) = [body for _, body in tables.requests]
    assert [each.partition(b"\r\n\r\n")[2] for each in sent] == [body]
    client.close()


class _Socket:
    """A socket that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.sent.append(data)

    def settimeout(self, seconds: float) -> None:
        """A connection of urllib3 sets it before each request."""

    def close(self) -> None:
        """Nothing is open."""


@pytest.mark.parametrize(
    ("body", "headers", "parts"),
    [
        (b"whole", {}, []),
        (b"", {}, []),
        (None, {}, []),
        (b"whole", None, []),
        ("a text", {}, [b"a text"]),
        (b"asked for", {"Expect": "a word"}, [b"asked for"]),
        ([b"two ", b"parts"], {"Content-Length": "9"}, [b"two ", b"parts"]),
    ],
)
def test_a_body_in_parts_follows_its_headers(
    body: Any,  # noqa: ANN401 - what the library takes
    headers: dict[str, str] | None,
    parts: list[bytes],
) -> None:
    """Requests of other kinds leave as urllib3 sends them, and none is kept back."""
    connection: Any = PlainConnection("127.0.0.1", 1)
    connection.sock = found = _Socket()

    for _ in range(2):
        found.sent.clear()
        connection.request("POST", "/", body, headers)

        head, *others = found.sent
        assert head.startswith(b"POST / HTTP/1.1\r\n")
        assert head.endswith(b"\r\n\r\nwhole" if body == b"whole" else b"\r\n\r\n")
        assert others == parts
        connection._HTTPConnection__state = "Idle"
    connection.sock = None


def test_a_request_is_sent_over_tls(
    tmp_path: Path, tables: ScriptedTables, new_client: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its certificate is held against the bundle, and one connection carries all requests."""
    authority = Authority.create(tmp_path)
    secure = ScriptedTables(authority.server("localhost"))
    secure.answers = [answer({"Item": KEY})]
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", f"https://localhost:{secure.port}")
    strange = new_client(light=True, retries={"total_max_attempts": 1})
    with pytest.raises(SSLError):
        strange.get_item(TableName="t", Key=KEY)
    monkeypatch.setenv("AWS_CA_BUNDLE", str(authority.file))
    client = new_client(light=True)

    for _ in range(3):
        assert client.get_item(TableName="t", Key=KEY)["Item"] == KEY

    assert [json.loads(body)["TableName"] for _, body in secure.requests] == ["t"] * 3
    assert (tables.requests, secure.connections) == ([], 1)
    secure.close()


def test_a_connection_that_closed_is_opened_anew(
    own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """A request that found it closed is repeated by botocore's rules."""
    tables.answers = [b"", answer({"Item": KEY})]

    said = own.get_item(TableName="t", Key=KEY)

    assert said["Item"] == KEY
    assert said["ResponseMetadata"]["RetryAttempts"] == 1
