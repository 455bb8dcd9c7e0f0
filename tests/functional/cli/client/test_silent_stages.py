"""A stage that is down, or silent, says so within two seconds, and what to do."""

import json
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Event
from typing import Any

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import API_URL, FakeApi, page
from timegate.cli.terminal import session, slowness
from timegate.client import NotReachable, Retries
from timegate.client.calling import get
from timegate.client.sending import Sender

BUSY = (
    "The local stack runs and may be starting a function: wait, or start it anew with"
    " make local-stop and make local."
)
START = "The local stack is down: make local starts it."


@pytest.fixture
def port(socket_enabled: None) -> Iterator[socket.socket]:
    """A port of this machine that nobody listens on, until a test does."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken


def address(taken: socket.socket) -> str:
    """The API's address there."""
    return f"http://127.0.0.1:{taken.getsockname()[1]}/stage"


def changed(terminal: Terminal, **parts: Any) -> Terminal:  # noqa: ANN401 - any part
    """The same terminal in other surroundings."""
    return replace(terminal, surroundings=replace(terminal.surroundings, **parts))


def test_a_closed_port(port: socket.socket, elsewhere: Callable[..., Terminal]) -> None:
    """All tries together are short of two seconds."""
    terminal = elsewhere(TIMEGATE_API_URL=address(port), TIMEGATE_TOKEN="t")
    terminal = changed(terminal, transport=None)
    outcome = terminal.run("jobs", "list")

    assert (outcome.code, outcome.err.splitlines()[-1]) == (3, f"  {START}")
    # A refusal takes no time: the pauses are all of it.
    assert 2 <= len(terminal.slept) <= 3
    assert sum(terminal.slept) < 1.5


def test_a_port_that_never_answers(
    port: socket.socket, elsewhere: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the connection, and is silent; a person is told long before the last try."""
    port.listen()
    monkeypatch.setattr(session, "_ANSWER_SECONDS", 0.2)
    terminal = elsewhere(TIMEGATE_API_URL=address(port), TIMEGATE_TOKEN="t")
    terminal = changed(terminal, transport=None, notice_seconds=0.01)
    people = terminal.run("jobs", "list")
    data = terminal.run("jobs", "list", "--json")

    assert (people.code, data.code) == (3, 3)
    assert people.err.splitlines()[0] == f"{address(port)} has not answered yet. {BUSY}"
    assert json.loads(data.err)["error"]["remedy"] == BUSY


def test_an_answer_that_comes_late_is_shown(
    api: FakeApi, elsewhere: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notice ends nothing: a function that starts cold may take so long."""
    told = Event()
    tell = slowness._tell

    def telling(url: str) -> None:
        tell(url)
        told.set()

    def late() -> httpx.Response:
        assert told.wait(10)
        return page([])

    monkeypatch.setattr(slowness, "_tell", telling)
    monkeypatch.setattr(api, "_next", late)
    terminal = elsewhere(TIMEGATE_API_URL=API_URL, TIMEGATE_TOKEN="t")
    outcome = changed(terminal, notice_seconds=0.01).run("jobs", "list")

    assert (outcome.code, outcome.out.strip()) == (0, "No jobs.")


def test_the_notice_comes_in_time() -> None:
    """After a warm function's time, and with half a second of loading before two have passed."""
    assert 1 < slowness.NOTICE_SECONDS <= 1.5


class Swallowing(httpx.BaseTransport):
    """A host that takes no connection: a try ends by the client's own patience, or at once."""

    def __init__(self, seconds: float, error: type[httpx.RequestError]) -> None:
        self.now, self.tries = 0.0, 0
        self._seconds, self._error = seconds, error

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.tries += 1
        self.now += self._seconds
        raise self._error("away", request=request)

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(
    ("seconds", "error", "tries"),
    [
        (session._CONNECT_SECONDS, httpx.ConnectTimeout, 1),
        (0.001, httpx.ConnectError, 3),
        (0.4, httpx.ConnectError, 2),
    ],
    ids=["packets are swallowed", "refused", "a name is long in not being found"],
)
def test_tries_do_not_add_up(seconds: float, error: type[httpx.RequestError], tries: int) -> None:
    """Whatever takes no connection, all tries together end 1.4 seconds after the first began."""
    host = Swallowing(seconds, error)
    sender = Sender(
        http=httpx.Client(transport=host),
        api_url=API_URL,
        retries=replace(session._RETRIES, jitter=lambda: 1.0),
        sleep=host.sleep,
        clock=lambda: host.now,
    )
    with pytest.raises(NotReachable):
        sender.send(get("/v1/jobs"))

    assert (host.tries, host.now < 1.5) == (tries, True)


def test_programs_are_as_patient_as_before() -> None:
    """The bound is the command line's: a worker outlives a stack that is away for a while."""
    host = Swallowing(1.5, httpx.ConnectTimeout)
    sender = Sender(
        http=httpx.Client(transport=host),
        api_url=API_URL,
        retries=Retries(),
        sleep=host.sleep,
        clock=lambda: host.now,
    )
    with pytest.raises(NotReachable):
        sender.send(get("/v1/jobs"))

    assert host.tries == 4


@pytest.mark.parametrize("status", [502, 503, 504])
def test_a_gateway_that_answers_for_the_api(
    api: FakeApi, timegate: Callable[..., Outcome], status: int
) -> None:
    """It is told what to do, as if nothing had answered."""
    api.will(httpx.Response(status, text="Service Unavailable"))
    people = timegate("jobs", "list")
    data = timegate("jobs", "list", "--json")

    assert people.err.splitlines()[1] == f"  {slowness.gateway_remedy()}"
    assert json.loads(data.err)["error"]["remedy"] == slowness.gateway_remedy()
