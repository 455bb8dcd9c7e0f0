"""A DynamoDB of this machine that answers as it is told."""

import json
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from botocore.config import Config
from botocore.session import Session

from timegate.runtime import clients
from timegate.runtime.light_calls import lighten

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NewClient = Callable[..., "DynamoDBClient"]


class ScriptedTables:
    """Answers requests in turn, each with some bytes; the last answer is given again.

    It closes the connection instead of an answer that is empty.
    """

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self.answers: list[bytes] = [answer({})]
        self.requests: list[tuple[dict[str, str], bytes]] = []
        self.connections = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more."""
        # A thread that waits for a connection keeps a socket that is only closed.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), self._secured(connection) as own, own.makefile("rb") as received:
            self.connections += 1
            while received.readline():
                headers = {}
                while (line := received.readline().decode().strip()) != "":
                    name, _, value = line.partition(": ")
                    headers[name.lower()] = value
                body = received.read(int(headers["content-length"]))
                self.requests.append((headers, body))
                turn = len(self.requests) - 1
                given = self.answers[min(turn, len(self.answers) - 1)]
                if not given:
                    return
                own.sendall(given)

    def _secured(self, connection: socket.socket) -> socket.socket:
        if self._tls is None:
            return connection
        with connection:
            return self._tls.wrap_socket(connection, server_side=True)


def answer(body: object, status: str = "200 OK") -> bytes:
    """An answer as DynamoDB sends it."""
    text = json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status}", "x-amzn-RequestId: R1", f"Content-Length: {len(text)}"]
    return "\r\n".join([*lines, "", ""]).encode() + text


def error(code: str, **fields: object) -> bytes:
    """An error as DynamoDB sends it."""
    kind = f"com.amazonaws.dynamodb.v20120810#{code}"
    return answer({"__type": kind, "message": "because", **fields}, "400 Bad Request")


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Iterator[ScriptedTables]:
    """The tables, and the variables by which a client finds them."""
    del socket_enabled
    served = ScriptedTables()
    told = {
        "AWS_ENDPOINT_URL_DYNAMODB": f"http://127.0.0.1:{served.port}",
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        "AWS_SESSION_TOKEN": "a session",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    yield served
    served.close()


@pytest.fixture
def own(tables: ScriptedTables, monkeypatch: pytest.MonkeyPatch) -> Iterator["DynamoDBClient"]:
    """The functions' client, which waits for no repetition."""
    del tables
    monkeypatch.setattr(clients, "_own", Session)
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)
    client = clients.dynamodb()
    yield client
    client.close()


@pytest.fixture
def new_client(tables: ScriptedTables) -> Iterator[NewClient]:
    """Clients as botocore makes them, or lightened."""
    del tables
    made: list[DynamoDBClient] = []

    def make(*, light: bool, **options: object) -> "DynamoDBClient":
        config: Any = Config(**options)  # type: ignore[arg-type]
        client: Any = Session().create_client("dynamodb", config=config)
        made.append(lighten(client) if light else client)
        return made[-1]

    yield make
    for each in made:
        each.close()
