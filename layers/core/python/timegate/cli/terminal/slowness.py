"""Patience with a stage that does not answer, or not yet, and remedies for it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_connection
from threading import Timer
from urllib.parse import urlsplit

import typer

from timegate.cli import BEGUN
from timegate.value_classes import dataclass

#: A person is told of a stack that is down, or silent, so long after the program began to load.
TOLD_SECONDS = 1.9
#: A warm function has answered by then.
_LONGEST_NOTICE_SECONDS = 1.4
_SHORTEST_NOTICE_SECONDS = 0.3
#: A first packet that is lost is sent again after one second; a second one is not waited for.
_LONGEST_CONNECT_SECONDS = 1.3
#: However long loading took, a far stage has so long for its handshakes.
_SHORTEST_CONNECT_SECONDS = 0.8
#: A refusal is tried again for so long: a stack that starts anew refuses for a moment.
_LONGEST_REPEAT_SECONDS = 1.0
#: Zero would be no bound.
_SHORTEST_REPEAT_SECONDS = 0.01
#: A port of this machine takes a connection at once, or no process listens there.
_KNOCK_SECONDS = 0.1
_LOCAL_DOWN = "The local stack is down: make local starts it."
_LOCAL_BUSY = (
    "The local stack runs and may be starting a function: wait, or start it anew with"
    " make local-stop and make local."
)
_WHICH_STAGE = "timegate profiles list shows which stage is meant, and --profile names another."
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, kw_only=True, slots=True)
class StagePatience:
    """Seconds that a stage is given, less those that loading took of its caller's patience.

    A connection is given no less than all repeats: one that timed out is not tried again.
    """

    connect_seconds: float
    repeat_seconds: float
    notice_seconds: float


def loaded_seconds() -> float:
    """Return the seconds since the program began to load."""
    return time.monotonic() - BEGUN


def patience_after(loading_seconds: float) -> StagePatience:
    """Return the time that is left when loading took so long."""
    left = TOLD_SECONDS - loading_seconds
    return StagePatience(
        connect_seconds=max(_SHORTEST_CONNECT_SECONDS, min(left, _LONGEST_CONNECT_SECONDS)),
        repeat_seconds=max(_SHORTEST_REPEAT_SECONDS, min(left, _LONGEST_REPEAT_SECONDS)),
        notice_seconds=max(_SHORTEST_NOTICE_SECONDS, min(left, _LONGEST_NOTICE_SECONDS)),
    )


def remedy(url: str) -> str:
    """Say what to do about an address that does not answer."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    between = _proxy_of(parts.scheme, host)
    if host in _LOCAL_HOSTS or host.endswith(".localhost"):
        return f"{between}{_LOCAL_BUSY if _listens(parts.port) else _LOCAL_DOWN}"
    return f"{between}{_WHICH_STAGE}"


def _proxy_of(scheme: str, host: str) -> str:
    """Name the variable whose proxy stands between; its value may hold a password."""
    # Heavy, and needed by failures alone.
    from urllib.request import getproxies_environment, proxy_bypass  # noqa: PLC0415

    proxies = getproxies_environment()
    kind = next((each for each in (scheme, "all") if proxies.get(each)), None)
    if kind is None or proxy_bypass(host):
        return ""
    name = f"{kind}_PROXY".upper()
    return (
        f"The request goes through the proxy that {name} names: look at it, or add {host} to"
        " NO_PROXY. "
    )


def gateway_remedy() -> str:
    """Say what to do where something answers in the API's place that it is away."""
    return (
        "A gateway answered for the API: try again in a minute. If it is a local stack, start it"
        " anew with make local-stop and make local."
    )


def _listens(port: int | None) -> bool:
    """Tell if something of this machine takes connections at a port."""
    if port is None:
        return False
    try:
        with create_connection(("localhost", port), timeout=_KNOCK_SECONDS):
            return True
    except OSError:
        return False


@contextmanager
def told_while_slow(url: str, seconds: float, *, is_data: bool) -> Iterator[None]:
    """Tell a person that an answer is long in coming; a program reads errors alone."""
    if is_data:
        yield
        return
    timer = Timer(seconds, _tell, (url,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tell(url: str) -> None:
    typer.echo(f"{url} has not answered yet. {remedy(url)}", err=True)
