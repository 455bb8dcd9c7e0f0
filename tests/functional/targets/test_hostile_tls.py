"""Secure targets that are not what they should be: nothing is sent to them, and one code tells."""

import socket
import ssl
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.functional.targets.conftest import open_sockets
from tests.functional.targets.test_hostile_targets import LARGE, outcome, told
from tests.support.targets.certificates import Authority
from tests.support.targets.hostile_behaviours import (
    EARLY,
    drips,
    says,
    says_and_closes,
    says_and_waits,
)
from tests.support.targets.hostile_target import Behaviour, answer, hostile_target
from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.retry import Failure, FailureKind

NAME = "hooks.test"


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """One that the client trusts."""
    authority = Authority.create(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    return authority


@pytest.fixture(autouse=True)
def names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of these tests lead here."""
    real = socket.getaddrinfo

    def resolve(host: str, *args: int, **kwargs: int) -> object:
        return real("127.0.0.1" if host.endswith(".test") else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def secure(
    webhook: WebhookTarget, tls: ssl.SSLContext | None, behaviour: Behaviour, *, host: str = NAME
) -> tuple[Answer | Failure, list[bytes]]:
    """Return the outcome of one secure call, and the requests that the target saw."""
    with hostile_target(behaviour, tls=tls) as target:
        url = target.url(host).replace("http://", "https://")
        result = outcome(webhook, url)
        heads = list(target.heads)
    return result, heads


@pytest.mark.parametrize(
    ("host", "days", "problem"),
    [
        pytest.param(NAME, -1, "has expired", id="expired"),
        pytest.param("other.test", 365, "names another host", id="wrong name"),
    ],
)
def test_a_wrong_certificate_has_a_code_of_its_own(
    webhook: WebhookTarget, authority: Authority, host: str, days: int, problem: str
) -> None:
    """Nothing is sent, so trying again is harmless; a renewed certificate lets the retry pass."""
    result, heads = secure(webhook, authority.server(host, days=days), says(answer()))

    assert isinstance(result, Failure)
    assert (result.kind, result.code, result.type) == (
        FailureKind.RETRYABLE,
        "tls_failed",
        "CertificateRefused",
    )
    assert problem in result.message
    assert "127.0.0.1" not in result.message
    assert heads == []


def test_an_unknown_authority_is_refused(
    webhook: WebhookTarget, authority: Authority, tmp_path: Path
) -> None:
    """Any authority can sign for any name."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    stranger = Authority.create(folder, "Stranger")
    result, heads = secure(webhook, stranger.server(NAME), says(answer()))

    assert isinstance(result, Failure)
    assert (result.code, result.type) == ("tls_failed", "CertificateRefused")
    assert "authority that is not trusted" in result.message
    assert heads == []


def test_a_target_without_tls_has_failed_its_handshake(
    webhook: WebhookTarget, authority: Authority
) -> None:
    """The request goes nowhere in plain text."""
    del authority
    result, _ = secure(webhook, None, says(answer()))

    assert isinstance(result, Failure)
    # The plain target waits for a line that never comes, or answers a handshake with HTTP.
    assert result.code in {"timeout", "tls_failed"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "tls_failed"),
        (b"", "timeout"),
        (b"\x16\x03\x03", "timeout"),
    ],
    ids=["plain text", "silence", "half a record"],
)
def test_a_handshake_ends_in_time(
    webhook: WebhookTarget, authority: Authority, text: bytes, code: str
) -> None:
    """However it is spun out."""
    del authority
    before = open_sockets()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"https://{NAME}:{listener.getsockname()[1]}/"
        accepted: list[socket.socket] = []

        def serve() -> None:
            connection, _ = listener.accept()
            accepted.append(connection)
            connection.recv(1)
            connection.sendall(text)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        result = outcome(webhook, url)
        thread.join(5)
        for each in accepted:
            each.close()

    assert isinstance(result, Failure)
    assert result.code == code
    assert open_sockets() <= before


@pytest.mark.parametrize("options", [0, ssl.OP_IGNORE_UNEXPECTED_EOF], ids=["", "before 3.11.3"])
def test_a_secure_answer_that_ends_without_a_word_was_cut_short(
    webhook: WebhookTarget, authority: Authority, monkeypatch: pytest.MonkeyPatch, options: int
) -> None:
    """Only TLS's own end tells an answer without a length from one that was cut off."""
    trusting = ssl.create_default_context()
    trusting.options |= options
    monkeypatch.setattr(ssl, "create_default_context", lambda: trusting)
    behaviour = says_and_closes("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nok")
    result, _ = secure(webhook, authority.server(NAME), behaviour)

    assert told(result) == ("connection_failed", "AnswerCutShort", None)


@pytest.mark.parametrize(
    ("reason", "raised"),
    [("UNEXPECTED_EOF_WHILE_READING", ssl.SSLEOFError), ("BAD_RECORD_TYPE", ssl.SSLError)],
)
def test_a_cut_has_one_name_in_each_python(reason: str, raised: type[ssl.SSLError]) -> None:
    """Python before 3.11.3 has no error of its own for it."""

    class Cut(socket.socket):
        def recv(self, *_: int) -> bytes:
            error = ssl.SSLError(ssl.SSL_ERROR_SSL, reason)
            error.reason = reason
            raise error

    channel = Channel(Cut())
    with closing(channel), pytest.raises(ssl.SSLError) as caught:
        channel.try_receive()

    assert type(caught.value) is raised


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (says(EARLY, answer()), (None, None, "ok")),
        (says_and_waits(EARLY), ("timeout", "TimedOut", None)),
        (drips(b"X: y\r\n" * 99, first=b"HTTP/1.1 200 OK\r\n"), ("timeout", "TimedOut", None)),
    ],
    ids=["early hints", "only early hints", "drips headers"],
)
def test_tls_changes_nothing_about_answers(
    webhook: WebhookTarget,
    authority: Authority,
    behaviour: Behaviour,
    expected: tuple[str | None, str | None, str | None],
) -> None:
    """The same rules over either."""
    result, _ = secure(webhook, authority.server(NAME), behaviour)

    assert told(result) == expected


def test_a_secure_connection_is_used_again(webhook: WebhookTarget, authority: Authority) -> None:
    """Session tickets, which a server sends unasked, are no second answer."""
    with hostile_target(says(answer()), tls=authority.server(NAME)) as target:
        results = [told(outcome(webhook, target.url(NAME))) for _ in range(3)]

    assert results == [(None, None, "ok")] * 3
    assert target.connections == 1


def test_an_early_answer_is_read_over_tls(webhook: WebhookTarget, authority: Authority) -> None:
    """A target may refuse a large request before it has read it."""
    refused = says_and_waits(answer(b"", "413 Content Too Large"))
    with hostile_target(refused, tls=authority.server(NAME), reads_bodies=False) as target:
        result = outcome(webhook, target.url(NAME), payload=LARGE, seconds=10)

    assert told(result)[0] == "http_413"
