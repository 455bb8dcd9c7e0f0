"""What a command works with: the API, the terminal, and this machine's clock."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Annotated

import httpx
import typer
from rich.console import Console, RenderableType

from timegate.client import JsonObject, NotUnderstood, TimegateClient, load_profile

#: Where nobody looks, in a pipe or a file, nothing needs to be folded.
_PIPE_COLUMNS = 240


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """What commands touch of the machine they run on; tests bring their own."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    transport: httpx.BaseTransport | None = None
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = _now
    #: The profile named before the command.
    profile: str | None = None


ProfileOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Whose API and credentials; see TIMEGATE_PROFILE."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the API's JSON.")]


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionOptions:
    """The options of every command that talks to the API."""

    profile: ProfileOption = None
    as_json: JsonOption = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One command's access to the API and the terminal."""

    client: TimegateClient
    surroundings: Surroundings
    as_json: bool

    def show(self, value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> None:
        """Print what the API said: as it is, or for people."""
        show(value, draw, as_json=self.as_json)


def surroundings(ctx: typer.Context) -> Surroundings:
    """Those of the running command."""
    return ctx.obj if isinstance(ctx.obj, Surroundings) else Surroundings()


@contextmanager
def opened(ctx: typer.Context, options: SessionOptions) -> Iterator[Session]:
    """A session that is closed in the end; raises ``CredentialsError``."""
    around = surroundings(ctx)
    profile = load_profile(around.environ, options.profile or around.profile)
    with TimegateClient(profile, transport=around.transport, sleep=around.sleep) as client:
        yield Session(client=client, surroundings=around, as_json=options.as_json)


def show(value: JsonObject, draw: Callable[[JsonObject], RenderableType], *, as_json: bool) -> None:
    """Print a value as JSON, or as it is drawn."""
    if as_json:
        typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
    else:
        terminal().print(drawn(value, draw))


def drawn(value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> RenderableType:
    """What the API said, for people; raises ``NotUnderstood``."""
    try:
        return draw(value)
    except KeyError as error:
        # Another program's JSON, or a stage older than this command: --json still shows it.
        raise NotUnderstood(f"what was to be shown lacks {error}") from error


def terminal() -> Console:
    """Standard output. Text is printed as it is: what looks like markup is somebody's data."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_COLUMNS
    return Console(markup=False, emoji=False, highlight=False, width=width)
