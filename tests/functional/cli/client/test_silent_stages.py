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
    """A port of this machine that no server listens on, until a test does."""
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


def test_a_closed_port_after_slow_loading(
    port: socket.socket, elsewhere: Callable[..., Terminal]
) -> None:
    """The time that loading took is not waited again: the first refusal is told."""
    terminal = elsewhere(TIMEGATE_API_URL=address(port), TIMEGATE_TOKEN="t")
    terminal = changed(terminal, transport=None, loaded_seconds=lambda: 2.0)
    outcome = terminal.run("jobs", "list")

    assert (outcome.code, terminal.slept) == (3, [])


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


@pytest.mark.parametrize("loading", [0.0, 0.5, 0.75, 1.1, 1.6])
def test_what_loading_takes_is_waited_less(loading: float) -> None:
    """Loading and patience are short of two seconds together, as long as loading leaves a rest."""
    patience = slowness.patience_after(loading)

    assert loading + patience.repeat_seconds < 2
    assert loading + patience.notice_seconds < 2
    assert loading + patience.connect_seconds < 2 or patience.connect_seconds == 0.8
    # A connection that timed out is not tried again.
    assert patience.connect_seconds >= patience.repeat_seconds


def test_a_slow_machine_still_tries() -> None:
    """A far stage has time for its handshakes; a refusal is told of at once."""
    patience = slowness.patience_after(9.0)

    assert (patience.connect_seconds, patience.notice_seconds) == (0.8, 0.3)
    assert 0 < patience.repeat_seconds < 0.05


def test_a_quick_machine_waits_for_a_lost_packet() -> None:
    """A connection waits for a packet that is sent again, and for no second one."""
    assert slowness.patience_after(0.1).connect_seconds == 1.3


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
    ("loading", "seconds", "error", "tries"),
    [
        (0.5, 1.3, httpx.ConnectTimeout, 1),
        (1.2, 0.8, httpx.ConnectTimeout, 1),
        (0.5, 0.001, httpx.ConnectError, 3),
        (1.7, 0.001, httpx.ConnectError, 2),
        (1.9, 0.001, httpx.ConnectError, 1),
        (0.5, 0.4, httpx.ConnectError, 2),
    ],
    ids=[
        "packets are swallowed",
        "and loading was slow",
        "refused",
        "refused, and loading was slow",
        "refused, and no time is left",
        "a name is long in not being found",
    ],
)
def test_tries_do_not_add_up(
    loading: float, seconds: float, error: type[httpx.RequestError], tries: int
) -> None:
    """Loading and all tries of an unreachable host end within two seconds together."""
    host = Swallowing(seconds, error)
    patience = slowness.patience_after(loading)
    sender = Sender(
        http=httpx.Client(transport=host),
        api_url=API_URL,
        retries=Retries(
            first_pause_seconds=session._FIRST_PAUSE_SECONDS,
            unreachable_seconds=patience.repeat_seconds,
            jitter=lambda: 1.0,
        ),
        sleep=host.sleep,
        clock=lambda: host.now,
    )
    with pytest.raises(NotReachable):
        sender.send(get("/v1/jobs"))

    assert (host.tries, loading + host.now <= 2) == (tries, True)


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


@pytest.mark.parametrize(
    ("variable", "name", "url", "host"),
    [
        ("HTTPS_PROXY", "HTTPS_PROXY", "https://api.example.com/v1/jobs", "api.example.com"),
        ("https_proxy", "HTTPS_PROXY", "https://api.example.com/v1/jobs", "api.example.com"),
        ("ALL_PROXY", "ALL_PROXY", "https://api.example.com/v1/jobs", "api.example.com"),
        ("HTTP_PROXY", "HTTP_PROXY", "http://127.0.0.1:1/v1/jobs", "127.0.0.1"),
    ],
)
def test_a_proxy_in_between_is_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, name: str, url: str, host: str
) -> None:
    """It may be what does not answer; its value, which may hold a password, is not told."""
    monkeypatch.setattr(slowness, "_listens", lambda _: False)
    for each in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(each, raising=False)
        monkeypatch.delenv(each.lower(), raising=False)
    plain = slowness.remedy(url)
    monkeypatch.setenv(variable, "http://me:hidden@proxy.example.com:3128")
    behind = slowness.remedy(url)
    monkeypatch.setenv("NO_PROXY", host)

    assert behind == (
        f"The request goes through the proxy that {name} names: look at it, or add"
        f" {host} to NO_PROXY. {plain}"
    )
    assert slowness.remedy(url) == plain
