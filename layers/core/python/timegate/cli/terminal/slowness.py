"""Remedies for a stage that does not answer, or not yet."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from urllib.parse import urlsplit

import typer

#: A person who waits is told so before two seconds have passed.
NOTICE_SECONDS = 1.8
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


def remedy(url: str) -> str:
    """Say what to do about an address that does not answer."""
    host = urlsplit(url).hostname or ""
    if host in _LOCAL_HOSTS or host.endswith(".localhost"):
        return "The local stack is down: make local starts it."
    return "timegate profiles list shows which stage is meant, and --profile names another."


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
