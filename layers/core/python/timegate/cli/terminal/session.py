"""Services of a command: the API, the terminal, and this machine's clock."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field, replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console, RenderableType

from timegate.cli.lengthening.short_id_sender import ShortIdSender
from timegate.cli.showing.data import json_data
from timegate.cli.showing.presentation import (
    Presentation,
    local_zone,
    presentation,
    presented,
)
from timegate.cli.streams import writes_unicode
from timegate.cli.terminal.profile_option import ProfileOption
from timegate.cli.terminal.slowness import loaded_seconds, patience_after, told_while_slow
from timegate.client import (
    ClientError,
    JsonObject,
    NotUnderstood,
    Retries,
    TimegateClient,
    load_profile,
)
from timegate.client.calls.parts import joined
from timegate.client.sending import TIMEOUT_SECONDS
from timegate.value_classes import dataclass

#: In a pipe or a file, nothing needs to be folded.
_PIPE_COLUMNS = 240
_FIRST_PAUSE_SECONDS = 0.1
_ANSWER_SECONDS = TIMEOUT_SECONDS


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class Surroundings:
    """Parts of the machine that commands use; tests bring their own."""

    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    transport: httpx.BaseTransport | None = None
    sleep: Callable[[float], None] = time.sleep
    now: Callable[[], datetime] = _now
    #: Seconds that pass while a stage is asked.
    clock: Callable[[], float] = time.monotonic
    #: Seconds for which the caller has waited when a stage is asked first.
    loaded_seconds: Callable[[], float] = loaded_seconds
    #: A person who waits so long for an answer is told so; ``None``: as loading leaves time.
    notice_seconds: float | None = None
    #: The profile named before the command.
    profile: str | None = None

    @property
    def traceparent(self) -> str | None:
        """Return the trace context (W3C) of the program that runs the command, if it has one."""
        return self.environ.get("TRACEPARENT")


class Output(StrEnum):
    """Formats of the API's answers."""

    TABLE = "table"
    JSON = "json"
    YAML = "yaml"


@dataclass(frozen=True, kw_only=True, slots=True)
class OutputOptions:
    """The options of every command that shows something."""

    output: Annotated[
        Output | None, typer.Option("--output", "-o", help="Write for people, or the API's data.")
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Do as --output json.")] = False
    wide: Annotated[
        bool, typer.Option("--wide", help="Show every column, whole ids and milliseconds.")
    ] = False
    utc: Annotated[
        bool, typer.Option("--utc", help="Show times in UTC, not in the zone of this machine.")
    ] = False

    @property
    def format(self) -> Output:
        """Return the format that was asked for; raises ``BadParameter`` for two at once."""
        if self.as_json and self.output not in {None, Output.JSON}:
            message = "--json is --output json; only one of them can be meant."
            raise typer.BadParameter(message)
        return Output.JSON if self.as_json else self.output or Output.TABLE

    @property
    def wants_data(self) -> bool:
        """It is for a program."""
        return self.format is not Output.TABLE

    def show(self, value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> None:
        """Print a value as it was asked for."""
        show(value, draw, output=self.format)

    def in_force(self) -> AbstractContextManager[None]:
        """Show things as these options say, for as long as the command runs."""
        zone = UTC if self.utc else local_zone()
        return presented(Presentation(zone=zone, is_wide=self.wide))


@dataclass(frozen=True, kw_only=True, slots=True)
class SessionOptions(OutputOptions):
    """The options of every command that talks to the API."""

    profile: ProfileOption = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    """One command's access to the API and the terminal."""

    client: TimegateClient
    surroundings: Surroundings
    output: Output
    #: The stage's address, as its profile has it.
    api_url: str

    @property
    def wants_data(self) -> bool:
        """Tell if the output is for a program."""
        return self.output is not Output.TABLE

    def show(self, value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> None:
        """Print what the API said: as it is, or for people."""
        show(value, draw, output=self.output)

    def show_joined(
        self,
        answers: Iterable[Mapping[str, Any]],
        draw: Callable[[JsonObject], RenderableType],
    ) -> JsonObject:
        """Print one answer about all parts of a request, asked one after the other; returns it.

        Raises the ``ClientError`` of a part, once what the parts before it did is printed.
        """
        found: list[Mapping[str, Any]] = []
        try:
            for answer in answers:
                found.append(answer)  # noqa: PERF402 - those before a refused one are kept
        except ClientError:
            if found:
                self.show(joined(found), draw)
            raise
        whole = joined(found)
        self.show(whole, draw)
        return whole

    def one_line(self, value: JsonObject, draw: Callable[[JsonObject], str]) -> str:
        """One of many that are printed as they come; of YAML, one document."""
        match self.output:
            case Output.TABLE:
                return draw(value)
            case Output.JSON:
                return json_data(value, to=sys.stdout)
            case Output.YAML:
                return f"---\n{_yaml(value)}"


def surroundings(ctx: typer.Context) -> Surroundings:
    """Return the surroundings of the running command."""
    return ctx.obj if isinstance(ctx.obj, Surroundings) else Surroundings()


@contextmanager
def opened(ctx: typer.Context, options: SessionOptions) -> Iterator[Session]:
    """A session that is closed in the end; raises ``CredentialsError``."""
    around = surroundings(ctx)
    profile = load_profile(around.environ, options.profile or around.profile)
    patience = patience_after(around.loaded_seconds())
    with TimegateClient(
        profile,
        timeout_seconds=_ANSWER_SECONDS,
        connect_seconds=patience.connect_seconds,
        retries=Retries(
            first_pause_seconds=_FIRST_PAUSE_SECONDS, unreachable_seconds=patience.repeat_seconds
        ),
        transport=around.transport,
        sleep=around.sleep,
    ) as client:
        notice = around.notice_seconds or patience.notice_seconds
        slow = partial(told_while_slow, profile.api_url, notice, is_data=options.wants_data)
        client.sender = replace(ShortIdSender.on(client.sender, slow), clock=around.clock)
        yield Session(
            client=client,
            surroundings=around,
            output=options.format,
            api_url=profile.api_url,
        )


def show(
    value: JsonObject, draw: Callable[[JsonObject], RenderableType], *, output: Output
) -> None:
    """Print a value as data, or as it is drawn."""
    match output:
        case Output.TABLE:
            terminal().print(drawn(value, draw))
        case Output.JSON:
            typer.echo(json_data(value, to=sys.stdout, indent=2))
        case Output.YAML:
            typer.echo(_yaml(value), nl=False)


def _yaml(value: JsonObject) -> str:
    """In the order of the API; text that looks like a number or a date stays text."""
    import yaml  # noqa: PLC0415 - few commands write it, and each would load it

    # The detour drops the types of Python that JSON has no word for: enumerations of text.
    return yaml.safe_dump(
        json.loads(json.dumps(value)), sort_keys=False, allow_unicode=writes_unicode(sys.stdout)
    )


def drawn(value: JsonObject, draw: Callable[[JsonObject], RenderableType]) -> RenderableType:
    """Draw the API's answer for people; raises ``NotUnderstood``."""
    try:
        return draw(value)
    except KeyError as error:
        # Another program's JSON, or a stage older than this command: --json still shows it.
        raise NotUnderstood(f"what was to be shown lacks {error}") from error


def terminal() -> Console:
    """Standard output. Text is printed as it is: what looks like markup is a tenant's data."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_COLUMNS
    if presentation().is_wide:
        width = max(Console(width=width).width, _PIPE_COLUMNS)
    return Console(markup=False, emoji=False, highlight=False, width=width)
