"""The header check, on a real server, called by the web hook target that is deployed."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from socketserver import ThreadingMixIn
from threading import Event, Thread
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx
import pytest

from examples.fencing.http_guard import FenceGuard
from tests.support.factories import NOW
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, private_rules
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.ports.call_runner import TargetFailed


@dataclass
class Billing:
    """An application that bills, and may stall before it does."""

    checks: bool
    invoices: list[str] = field(default_factory=list)
    stalls: dict[str, Event] = field(default_factory=dict)
    begun: Event = field(default_factory=Event)
    status: str = "200 OK"

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        fence = environ.get("HTTP_TIMEGATE_FENCE", "none")
        self.begun.set()
        self.stalls.get(fence, _open()).wait(20)
        if self.checks and not environ["timegate.still_mine"]():
            start_response("409 Conflict", [])
            return [b"lost it"]
        self.invoices.append(fence)
        start_response(self.status, [])
        return [b"billed by " + fence.encode()]


def _open() -> Event:
    event = Event()
    event.set()
    return event


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Door:
    """Calls as the executor makes them."""

    url: str
    webhook: WebhookTarget

    def call(self, fence: int) -> str:
        """Return the target's answer, or the failure's code."""
        try:
            return self.webhook.invoke(call_factory(fence=fence), WebhookAction(url=self.url)).text
        except TargetFailed as failed:
            return failed.failure.code


@pytest.fixture
def open_door(tmp_path: Path) -> Iterator[Callable[..., Door]]:
    """Serve an application, behind the guard or not."""
    servers: list[_Server] = []
    webhook = WebhookTarget(MemoryClock(NOW), knowing(), private_rules("127.0.0.1"))

    def serve(billing: Billing, *, guarded: bool = True) -> Door:
        application: Any = FenceGuard(billing, tmp_path / "guard.db") if guarded else billing
        server = make_server("127.0.0.1", 0, application, _Server, _Silent)
        servers.append(server)
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return Door(url=f"http://127.0.0.1:{server.server_port}/bill", webhook=webhook)

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()
    webhook.close()


def stalled_and_taken_over(billing: Billing, door: Door) -> list[str]:
    """Fence 1 stalls at the door; fence 2 does the work; then fence 1 wakes up."""
    billing.stalls["1"] = Event()
    answers: list[str] = []
    stalled = Thread(target=lambda: answers.append(door.call(1)))
    stalled.start()
    billing.begun.wait(20)
    answers.append(door.call(2))
    billing.stalls["1"].set()
    stalled.join()
    return answers


def test_without_the_guard_a_late_worker_bills_again(open_door: Callable[..., Door]) -> None:
    """The guard prevents the second bill."""
    billing = Billing(checks=False)
    stalled_and_taken_over(billing, open_door(billing, guarded=False))

    assert billing.invoices == ["2", "1"]


def test_with_the_guard_a_late_worker_bills_nothing(open_door: Callable[..., Door]) -> None:
    """It asks whether the run is still its own, after its stall and before the effect."""
    billing = Billing(checks=True)
    answers = stalled_and_taken_over(billing, open_door(billing))

    assert answers == ["billed by 2", "http_409"]
    assert billing.invoices == ["2"]


def test_a_stale_request_is_refused_at_the_door(open_door: Callable[..., Door]) -> None:
    """A higher fence has begun and not ended: the application is not even called."""
    billing = Billing(checks=True, status="503 Service Unavailable")
    door = open_door(billing)
    door.call(2)

    assert door.call(1) == "http_409"
    assert billing.invoices == ["2"]


@pytest.mark.parametrize("fence", [1, 2, 3], ids=["lower", "same", "higher"])
def test_a_duplicate_is_answered_as_before(open_door: Callable[..., Door], fence: int) -> None:
    """The work is done: a caller that asks again gets the same answer, and nothing happens."""
    billing = Billing(checks=True)
    door = open_door(billing)
    door.call(2)

    assert door.call(fence) == "billed by 2"
    assert billing.invoices == ["2"]


def test_work_that_failed_is_done_by_the_next_attempt(open_door: Callable[..., Door]) -> None:
    """An answer other than 2xx is not the work's."""
    billing = Billing(checks=True, status="500 Oops")
    door = open_door(billing)
    door.call(1)
    billing.status = "200 OK"

    assert door.call(2) == "billed by 2"
    assert billing.invoices == ["1", "2"]


def test_other_callers_pass(open_door: Callable[..., Door]) -> None:
    """A request without the headers is none of the guard's business."""
    billing = Billing(checks=False)
    door = open_door(billing)
    answers = [httpx.post(door.url).text for _ in range(2)]

    assert answers == ["billed by none", "billed by none"]


@dataclass
class Body:
    """A body that is closed, as Django's and Werkzeug's are."""

    parts: list[bytes | Exception]
    closed: int = 0

    def __iter__(self) -> Iterator[bytes]:
        for part in self.parts:
            if isinstance(part, Exception):
                raise part
            yield part

    def close(self) -> None:
        """End the request."""
        self.closed += 1


@pytest.mark.parametrize("parts", [[b"done"], [b"half", RuntimeError("broken")]], ids=["ok", "bad"])
def test_the_guard_closes_the_body_of_the_application(
    tmp_path: Path, parts: list[bytes | Exception]
) -> None:
    """The server closes the guard's own: Django would keep each connection to its database."""
    body = Body(parts)

    def application(_: object, start: Callable[..., object]) -> Body:
        start("200 OK", [])
        return body

    guard = FenceGuard(application, tmp_path / "guard.db")
    environ = {"HTTP_TIMEGATE_IDEMPOTENCY_KEY": "a", "HTTP_TIMEGATE_FENCE": "1"}
    with suppress(RuntimeError):
        guard(environ, lambda *_: bytes)

    assert body.closed == 1


def test_a_duplicate_is_answered_with_the_headers_of_before(tmp_path: Path) -> None:
    """Timegate reads some of them, and so do proxies; a file of before headers were kept serves."""
    path = tmp_path / "guard.db"
    with closing(sqlite3.connect(path)) as guard:
        guard.execute(
            "CREATE TABLE timegate_guard"
            " (key TEXT PRIMARY KEY, fence INTEGER NOT NULL, status TEXT, answer BLOB)"
        )
    headers = [("Content-Type", "application/json"), ("Link", "<a>"), ("Link", "<b>")]
    heard: list[tuple[str, list[tuple[str, str]]]] = []

    def application(_: Any, start_response: Any) -> list[bytes]:  # noqa: ANN401 - as WSGI has it
        start_response("202 Accepted", headers)
        return [b"{}"]

    request: Any = {"HTTP_TIMEGATE_IDEMPOTENCY_KEY": "run", "HTTP_TIMEGATE_FENCE": "1"}
    for _ in range(2):
        guarded: Any = FenceGuard(application, path)
        answer = b"".join(guarded(request, lambda *said: heard.append(said)))
        assert answer == b"{}"

    assert heard == [
        ("202 Accepted", headers),
        ("202 Accepted", [*headers, ("Timegate-Duplicate", "true")]),
    ]
