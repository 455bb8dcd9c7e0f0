"""Remedies for a stage that does not answer, or not yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from socket import create_connection
from threading import Timer
from urllib.parse import urlsplit

import typer

#: A person who waits is told so before two seconds have passed, with those of loading the program.
NOTICE_SECONDS = 1.4
#: A port of this machine takes a connection at once, or no process listens there.
_KNOCK_SECONDS = 0.1
_LOCAL_DOWN = "The local stack is down: make local starts it."
_LOCAL_BUSY = (
    "The local stack runs and may be starting a function: wait, or start it anew with"
    " make local-stop and make local."
)
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


def remedy(url: str) -> str:
    """Say what to do about an address that does not answer."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host in _LOCAL_HOSTS or host.endswith(".localhost"):
        return _LOCAL_BUSY if _listens(parts.port) else _LOCAL_DOWN
    return "timegate profiles list shows which stage is meant, and --profile names another."


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
