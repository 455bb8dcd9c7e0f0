"""An exchange: one request, its interim answers, and its final answer."""

import ssl
from collections.abc import Iterable

import h11

from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import HttpRequest, Response
from timegate.domain.runs.checkpoint import MAX_CHECKPOINT_BYTES

#: Read no more of an answer: a checkpoint, and what comes with it.
MAX_ANSWER_BYTES = MAX_CHECKPOINT_BYTES + 8_192
#: Read no more chunks of an answer; each costs processor time however small it is.
MAX_PIECES = 10_000
#: Bound the head of an answer, each interim answer, the head of a chunk, and trailers.
MAX_HEAD_BYTES = 65_536
MAX_HEADERS = 200
#: Skip so many interim answers (1xx) of one request.
MAX_INTERIM_ANSWERS = 20
#: Bound everything that one exchange receives, chunk heads and interim answers included.
MAX_RECEIVED_BYTES = 4 * MAX_ANSWER_BYTES


class InvalidAnswer(Exception):
    """The target's bytes are no HTTP/1.1 answer to the request."""


class AnswerCutShort(Exception):
    """The connection ended before the answer did."""


class HttpExchange:
    """Speaks for one request over a channel; another exchange may follow if it ended cleanly."""

    def __init__(self, channel: Channel, request: HttpRequest, deadline: Deadline) -> None:
        self._channel = channel
        self._request = request
        self._deadline = deadline
        self._protocol = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
        self._head: h11.Response | None = None
        self._interim_answers = 0
        self._received = 0
        self._sent_all = False
        self._read_all = False

    def run(self) -> Response:
        """Send the request and read its answer.

        Raises ``InvalidAnswer``, ``AnswerCutShort``, ``DeadlinePassed`` or ``OSError``.
        """
        try:
            self._send(self._encoded())
            head = self._read_head()
            body = self._read_body()
        except ssl.SSLEOFError as error:
            raise AnswerCutShort from error
        except h11.RemoteProtocolError as error:
            ended = self._protocol.trailing_data[1]
            raise AnswerCutShort if ended else InvalidAnswer from error
        return Response(
            status=head.status_code,
            headers=_headers(head.headers),
            body=body,
            is_complete=self._read_all,
        )

    @property
    def ended_cleanly(self) -> bool:
        """Tell whether both sides are done, with no byte left over and nothing to doubt."""
        return (
            self._sent_all
            and self._read_all
            and self._protocol.our_state is h11.DONE
            and self._protocol.their_state is h11.DONE
            and self._protocol.trailing_data == (b"", False)
            and not _has_two_lengths(self._head)
        )

    def _encoded(self) -> bytes:
        request = self._request
        headers = [*request.headers.items(), ("Content-Length", str(len(request.body)))]
        events: list[h11.Event] = [
            h11.Request(
                method=request.method,
                target=request.target,
                headers=[(name, text.strip()) for name, text in headers],
            ),
            h11.Data(data=request.body),
            h11.EndOfMessage(),
        ]
        return b"".join(self._protocol.send(event) or b"" for event in events)

    def _send(self, data: bytes) -> None:
        """Send the request, until a final answer comes that did not wait for all of it."""
        rest = memoryview(data)
        try:
            while rest and self._head is None:
                self._deadline.remaining()
                sent = self._channel.try_send(rest)
                rest = rest[sent:]
                if not sent and self._channel.wait_readable(self._deadline, or_writable=True):
                    self._look_for_answer()
        except (ConnectionError, ssl.SSLEOFError):
            # The target may have answered before it closed: reading tells.
            return
        self._sent_all = not rest

    def _look_for_answer(self) -> None:
        data = self._channel.try_receive()
        if data is None:
            return
        self._take(data)
        event = self._protocol.next_event()
        while self._head is None and event is not h11.NEED_DATA:
            self._head = self._final(event)
            event = h11.NEED_DATA if self._head else self._protocol.next_event()

    def _read_head(self) -> h11.Response:
        while self._head is None:
            self._head = self._final(self._next())
        if len(self._head.headers) > MAX_HEADERS:
            raise InvalidAnswer
        return self._head

    def _final(self, event: object) -> h11.Response | None:
        """Return the event if it is the head of the final answer; skip interim answers."""
        if isinstance(event, h11.Response):
            return event
        if isinstance(event, h11.InformationalResponse):
            self._interim_answers += 1
            if self._interim_answers > MAX_INTERIM_ANSWERS:
                raise InvalidAnswer
        return None

    def _read_body(self) -> bytes:
        body = bytearray()
        for _ in range(MAX_PIECES):
            event = self._next()
            if isinstance(event, h11.EndOfMessage):
                self._read_all = True
                break
            if isinstance(event, h11.Data):
                body += event.data
            if len(body) >= MAX_ANSWER_BYTES:
                break
        return bytes(body[:MAX_ANSWER_BYTES])

    def _next(self) -> object:
        """Return the next event, once enough bytes for it have come."""
        event = self._protocol.next_event()
        while event is h11.NEED_DATA:
            self._take(self._channel.receive(self._deadline))
            event = self._protocol.next_event()
        return event

    def _take(self, data: bytes) -> None:
        self._received += len(data)
        if self._received > MAX_RECEIVED_BYTES:
            raise InvalidAnswer
        self._protocol.receive_data(data)


def _headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_text in pairs:
        name, text = raw_name.decode("ascii"), raw_text.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return headers


def _has_two_lengths(head: h11.Response | None) -> bool:
    """Tell whether the answer gives a length and chunks: two readers may see two ends."""
    names = {name for name, _ in head.headers} if head is not None else set()
    return {b"content-length", b"transfer-encoding"} <= names
