"""Connections to tables are used again, and only where nothing is left of the answer before."""

from time import sleep
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import (
    BotoCoreError,
    ConnectionClosedError,
    EndpointConnectionError,
    ReadTimeoutError,
)

from tests.unit.runtime.table_calls.conftest import CUT, NewClient, ScriptedTables, answer
from timegate.runtime.kept_connections import KeptConnections, _open_connection

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

KEY: Any = {"pk": {"S": "a"}, "sk": {"S": "b"}}
GOOD = answer({"Item": KEY})


def _reads(client: "DynamoDBClient", times: int = 3) -> list[Any]:
    return [client.get_item(TableName="t", Key=KEY).get("Item") for _ in range(times)]


def test_a_connection_is_used_again(own: "DynamoDBClient", tables: ScriptedTables) -> None:
    """One serves calls that follow each other; large answers come in many parts."""
    large = {"pk": {"S": "ü" * 300_000}}
    tables.answers = [GOOD, answer({"Item": large}), GOOD]

    assert _reads(own) == [KEY, large, KEY]
    assert tables.connections == 1


def _chunked() -> bytes:
    body = GOOD.partition(b"\r\n\r\n")[2]
    first, rest = body[:5], body[5:]
    chunks = b"%x\r\n%b\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(first), first, len(rest), rest)
    return b"HTTP/1.1 200 OK\r\nx-amzn-requestid: R1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(_chunked(), id="in chunks"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" + GOOD, id="after another one"),
        pytest.param(GOOD + b"HTTP/1.1 200 OK\r\n\r\n", id="with more bytes than it says"),
        pytest.param(answer({"Item": KEY}, "200 OK", "Connection: close"), id="that is the last"),
        pytest.param(GOOD.replace(b"HTTP/1.1", b"HTTP/1.0"), id="of an older protocol"),
    ],
)
def test_an_unusual_answer_is_read_and_its_connection_is_not_kept(
    second: bytes, own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """The next call has a connection of its own."""
    tables.answers = [GOOD, second, GOOD]

    assert _reads(own) == [KEY, KEY, KEY]
    assert len(tables.requests) == 3
    assert tables.connections == 2


@pytest.mark.parametrize("part", [0, 10, 60, len(GOOD) - 3])
def test_an_answer_that_is_cut_short_is_asked_for_again(
    part: int, own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """Botocore's retries send it again, at whatever byte the connection breaks."""
    tables.answers = [GOOD, GOOD[:part] + CUT if part else CUT, GOOD]

    assert _reads(own, 2) == [KEY, KEY]
    assert len(tables.requests) == 3
    assert tables.connections == 2


def test_a_connection_that_the_other_end_closed_is_opened_anew(
    own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """It is seen before anything is sent: no request is repeated."""
    tables.answers = [GOOD + CUT, GOOD]

    assert _reads(own, 1) == [KEY]
    # The close comes soon after the answer.
    sleep(0.05)
    assert _reads(own, 1) == [KEY]
    assert len(tables.requests) == 2
    assert tables.connections == 2


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (b"", ReadTimeoutError),
        (CUT, ConnectionClosedError),
        (b"no answer\r\n\r\n" + CUT, ConnectionClosedError),
    ],
)
def test_errors_are_botocores(
    second: bytes,
    expected: type[BotoCoreError],
    new_client: NewClient,
    tables: ScriptedTables,
) -> None:
    """Its retries know them by their classes."""
    client = new_client(light=True, read_timeout=0.3, retries={"total_max_attempts": 1})
    tables.answers = [GOOD, second, GOOD]
    assert _reads(client, 1) == [KEY]

    with pytest.raises(expected):
        _reads(client, 1)

    assert _reads(client, 1) == [KEY]
    assert tables.connections == 2


def test_what_cannot_be_reached_is_said_by_botocore(
    new_client: NewClient, tables: ScriptedTables
) -> None:
    """A new connection is its own."""
    client = new_client(light=True, retries={"total_max_attempts": 1})
    tables.close()

    with pytest.raises(EndpointConnectionError):
        _reads(client, 1)


def test_a_closed_client_opens_connections_again(
    own: "DynamoDBClient", tables: ScriptedTables
) -> None:
    """Botocore's session does so as well."""
    assert _reads(own, 2) == [None, None]
    own.close()
    assert _reads(own, 2) == [None, None]
    assert tables.connections == 2


def test_requests_by_a_proxy_are_sent_by_botocore(new_client: NewClient) -> None:
    """It knows how a proxy is spoken to."""
    client: Any = new_client(light=True, proxies={"http": "http://127.0.0.1:1"})
    kept = client._endpoint.http_session

    assert isinstance(kept, KeptConnections)
    assert kept._place("http://elsewhere.example.com/") is None


def test_botocore_alone_makes_connections(new_client: NewClient) -> None:
    """One that is made before botocore sets the pool up trusts other authorities."""
    client: Any = new_client(light=True)
    pool = client._endpoint.http_session._place("https://tables.example.com/").pool

    for _ in range(2):
        assert _open_connection(pool) is None
    assert pool.num_connections == 0
    assert pool.pool.qsize() == pool.pool.maxsize
