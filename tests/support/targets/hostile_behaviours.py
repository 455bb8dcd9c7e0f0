"""Behaviours of hostile targets by name, with the outcome that Timegate must record."""

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from tests.support.targets.hostile_target import Behaviour, Conversation, answer

SWITCHING = "HTTP/1.1 101 Hm\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"
EARLY = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"


def head(*headers: str) -> str:
    """Write the head of an answer."""
    return "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""])


@dataclass(frozen=True, kw_only=True)
class Expected:
    """The expected outcome of one call."""

    behaviour: Behaviour
    #: The failure's code; ``None``: the call succeeds.
    code: str | None
    type: str | None = None
    text: str | None = None
    #: Tell if the connection may serve the next call of the same tenant.
    is_kept: bool = False
    reads_bodies: bool = True


def says(*texts: str | bytes) -> Behaviour:
    """Send these, and wait for another request."""
    return lambda conversation: conversation.say(*texts)


def says_and_closes(*texts: str | bytes) -> Behaviour:
    """Send these, and close."""

    def behave(conversation: Conversation) -> None:
        conversation.say(*texts)
        conversation.socket.shutdown(2)

    return behave


def says_and_waits(*texts: str | bytes) -> Behaviour:
    """Send these, and keep the connection open without a further byte."""

    def behave(conversation: Conversation) -> None:
        conversation.say(*texts)
        conversation.wait()

    return behave


def drips(text: bytes, *, first: bytes = b"") -> Behaviour:
    """Send a first text at once, and another one byte by byte, each before any time-out."""

    def behave(conversation: Conversation) -> None:
        conversation.say(first)
        conversation.drip(text, seconds=0.05)
        conversation.wait()

    return behave


def floods(first: bytes, piece: bytes) -> Behaviour:
    """Send a piece over and over."""

    def behave(conversation: Conversation) -> None:
        conversation.say(first)
        while not conversation.over.is_set():
            conversation.say(piece)

    return behave


def resets(*texts: bytes) -> Behaviour:
    """Send these, and reset the connection."""

    def behave(conversation: Conversation) -> None:
        conversation.say(*texts)
        conversation.reset()

    return behave


def twice_zipped() -> bytes:
    """Make 256 MB of zeros less than a kilobyte: gzip in gzip."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    once = b"".join(packer.compress(zeros) for _ in range(256)) + packer.flush()
    return gzip.compress(once, 9, mtime=0)


def encoded(*encodings: str, body: bytes) -> Behaviour:
    """Answer with an encoding that no request asked for."""
    return says(answer(body, "200 OK", f"Content-Encoding: {', '.join(encodings)}"))


CHUNKED = head("Transfer-Encoding: chunked")
CLOSED = head("Connection: close")
EXTENDED = b"1;" + b"x" * 8192 + b"\r\ny\r\n"
TWICE_ZIPPED = twice_zipped()
timeout = partial(Expected, code="timeout", type="TimedOut")
cut_short = partial(Expected, code="connection_failed", type="AnswerCutShort")
reset = partial(Expected, code="connection_failed", type="ConnectionReset")
invalid = partial(Expected, code="invalid_answer", type="InvalidAnswer")
succeeds = partial(Expected, code=None, text="ok")

BEHAVIOURS: Mapping[str, Expected] = {
    # Interim answers.
    "early hints": succeeds(is_kept=True, behaviour=says(EARLY, answer())),
    "twenty interim answers": succeeds(is_kept=True, behaviour=says(EARLY * 20, answer())),
    "twenty-one interim answers": invalid(behaviour=says(EARLY * 21, answer())),
    "only early hints": timeout(behaviour=says_and_waits(EARLY)),
    "early hints for ever": invalid(behaviour=floods(b"", EARLY.encode())),
    "switches protocols": invalid(
        behaviour=says_and_waits("HTTP/1.1 101 Hm\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
    ),
    # More than one answer, or not quite one.
    "second answer at once": succeeds(behaviour=says(answer() + answer(b"forged"))),
    "byte after the answer": succeeds(behaviour=says(answer() + b"\n")),
    "body of a 204": Expected(
        code=None, text="", behaviour=says("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\n")
    ),
    "length and chunks": succeeds(
        behaviour=says(
            head("Content-Length: 5", "Transfer-Encoding: chunked"), "2\r\nok\r\n0\r\n\r\n"
        ),
    ),
    "two lengths": invalid(
        behaviour=says(head("Content-Length: 2", "Content-Length: 3"), "ok"),
    ),
    "says it closes": succeeds(behaviour=says(answer(b"ok", "200 OK", "Connection: close"))),
    "ends with the connection": succeeds(behaviour=says_and_closes(CLOSED, "ok")),
    "old HTTP": succeeds(behaviour=says_and_closes("HTTP/1.0 200 OK\r\n\r\nok")),
    # Slow answers.
    "silent": timeout(behaviour=says_and_waits()),
    "drips its status line": timeout(behaviour=drips(b"HTTP/1.1 200 OK" * 99)),
    "drips headers": timeout(behaviour=drips(b"X-A: b\r\n" * 999, first=b"HTTP/1.1 200 OK\r\n")),
    "drips early hints": timeout(behaviour=drips(EARLY.encode() * 99)),
    "drips its body": timeout(
        behaviour=drips(b"x" * 999, first=head("Content-Length: 999").encode()),
    ),
    "drips chunks": timeout(behaviour=drips(b"1\r\nx\r\n" * 999, first=CHUNKED.encode())),
    "half a head": timeout(behaviour=says_and_waits("HTTP/1.1 200 OK\r\nX-")),
    "half open": timeout(behaviour=says_and_waits(head("Content-Length: 9"), "ok")),
    # Answers that break off.
    "closes at once": cut_short(behaviour=says_and_closes()),
    "resets at once": reset(behaviour=resets()),
    "closes in the head": cut_short(behaviour=says_and_closes("HTTP/1.1 200 OK\r\nX")),
    "closes after early hints": cut_short(behaviour=says_and_closes(EARLY)),
    "short of its length": cut_short(behaviour=says_and_closes(head("Content-Length: 3"), "ok")),
    "no last chunk": cut_short(behaviour=says_and_closes(CHUNKED, "2\r\nok\r\n")),
    "half a chunk": cut_short(behaviour=says_and_closes(CHUNKED, "9\r\nok")),
    # Answers that are none.
    "another protocol": invalid(behaviour=says_and_closes("SSH-2.0-x\r\n\r\n")),
    "zero bytes": invalid(behaviour=says_and_waits(bytes(70_000))),
    "endless header": invalid(behaviour=floods(b"HTTP/1.1 200 OK\r\nX: ", b"x" * 8192)),
    "endless headers": invalid(behaviour=floods(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n" * 999)),
    "201 headers": invalid(behaviour=says(head(*["A: b"] * 201))),
    "endless chunk head": invalid(behaviour=floods(CHUNKED.encode(), b"1;x" * 999)),
    "chunks all extension": invalid(behaviour=floods(CHUNKED.encode(), EXTENDED)),
    "chunk of no size": invalid(behaviour=says(CHUNKED, "zz\r\nok\r\n")),
    "negative length": invalid(behaviour=says(head("Content-Length: -1"))),
    "unknown transfer encoding": invalid(
        behaviour=says(head("Transfer-Encoding: gzip, chunked")),
    ),
    # Large answers.
    "endless body": Expected(
        code=None,
        text="x" * 499 + "…",
        behaviour=floods(head("Content-Length: 999999999").encode(), b"x" * 65_536),
    ),
    "endless chunks": Expected(
        code=None, text="x" * 499 + "…", behaviour=floods(CHUNKED.encode(), b"1\r\nx\r\n" * 999)
    ),
    "gzip in gzip": Expected(
        code=None,
        text=f"({len(TWICE_ZIPPED)} bytes, encoded as gzip, gzip, are not kept.)",
        is_kept=True,
        behaviour=encoded("gzip", "gzip", body=TWICE_ZIPPED),
    ),
    "a chain of encodings": Expected(
        code=None,
        text=f"(3 bytes, encoded as {', '.join(['br'] * 50)}, are not kept.)",
        is_kept=True,
        behaviour=encoded(*(["br"] * 50), body=b"abc"),
    ),
    "says that it is not encoded": succeeds(
        is_kept=True, behaviour=encoded("identity", body=b"ok")
    ),
    # Answers before the request was read.
    "answers early": Expected(
        code="http_413",
        type="HttpStatus",
        reads_bodies=False,
        behaviour=says_and_waits(answer(b"too large", "413 Content Too Large")),
    ),
    "answers early and closes": Expected(
        code="http_413",
        type="HttpStatus",
        reads_bodies=False,
        behaviour=says_and_closes(answer(b"too large", "413 Content Too Large")),
    ),
    "never reads": timeout(reads_bodies=False, behaviour=says_and_waits()),
}
