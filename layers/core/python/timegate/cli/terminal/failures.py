"""Messages and exit codes of commands that do not succeed."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from http import HTTPStatus
from itertools import pairwise
from typing import Any, NoReturn, cast

import typer

from timegate.cli.lengthening.searching import NotUnique, TooMany
from timegate.cli.showing.data import json_data
from timegate.cli.terminal.agreeing import NotAgreed
from timegate.cli.terminal.slowness import gateway_remedy, remedy
from timegate.cli.terminal.wording import plain
from timegate.client import ClientError, FieldProblem, NotReachable, ProblemError
from timegate.domain.values.errors import InvalidInput

#: Typer keeps its copy of click to itself; ``BadParameter`` is one of them.
UsageError: Any = typer.BadParameter.__mro__[1]
#: The API answered, and refused.
EXIT_REFUSED = 1
#: The command line is wrong; typer's own.
EXIT_USAGE = 2
#: No answer, or no credentials.
EXIT_NO_ACCESS = 3
#: The run that was watched did not succeed.
EXIT_NOT_SUCCEEDED = 4
#: The stage differs from what files declare.
EXIT_DIFFERENT = 5


#: Statuses of a gateway whose service does not answer.
_AWAY = {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}

#: A gateway refuses a token, and does not say why.
_UNKNOWN_CALLER = "unauthorized"
_ACCESS_REMEDY = (
    "The stage takes no such token, or takes it no longer: look at timegate profiles show and at"
    " TIMEGATE_TOKEN, or sign in again with timegate login."
)
#: Typer reads choices by Pydantic, which begins so, and keeps that in its message.
_PREFIX = "Value error, "
#: Words that no option takes; a shell has divided what was one to its writer.
_EXTRA = "Got unexpected extra argument"
_QUOTES = "Quote a value that has spaces: '0 9 * * 1-5'."
#: The errors of the running command are data.
_AS_JSON: ContextVar[bool] = ContextVar("timegate_json_errors", default=False)


@contextmanager
def failures_said(arguments: Sequence[str] = ()) -> Iterator[None]:
    """Say errors of the API and of the rules in one sentence; raises ``typer.Exit``.

    Where the arguments ask for data, the error is data too: JSON, on standard error.
    """
    as_json = wants_json(arguments)
    before = _AS_JSON.set(as_json)
    try:
        yield
    except NotUnique as error:
        say_error(error.code, error.detail, candidates=error.candidates)
        raise typer.Exit(EXIT_USAGE) from error
    except (TooMany, NotAgreed) as error:
        say_error(error.code, error.detail)
        raise typer.Exit(EXIT_USAGE) from error
    except ClientError as error:
        _fail(error)
    except InvalidInput as error:
        # Found here what the API would refuse: said as the API says it.
        problem = FieldProblem(field=error.field, code=error.code, detail=error.detail)
        say_error("invalid_request", str(error), (problem,))
        raise typer.Exit(EXIT_USAGE) from error
    except UsageError as error:
        error.message = _with_next_step(error.message.removeprefix(_PREFIX))
        if not as_json:
            raise
        say_error("usage", error.format_message())
        raise typer.Exit(EXIT_USAGE) from error
    finally:
        _AS_JSON.reset(before)


@contextmanager
def io_failures_said() -> Iterator[None]:
    """Say what the system refuses to read or write, as a full disk; raises ``typer.Exit``.

    Within ``failures_said``. The reader of a pipe may have enough: click ends a command for that.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise typer.Exit(say_io_failure(error)) from error


def say_io_failure(error: OSError) -> int:
    """Say what the system refused, and return the exit code."""
    say_error("io_failed", f"{error.strerror or error}: {error.filename or 'the output'}.")
    return EXIT_REFUSED


def _with_next_step(message: str) -> str:
    return f"{message}. {_QUOTES}" if message.startswith(_EXTRA) else message


def wants_json(arguments: Sequence[str]) -> bool:
    """Tell if a command's words ask for JSON or YAML; its error is JSON then."""
    pairs = {*pairwise(arguments)}
    data = {(name, kind) for name in ("-o", "--output") for kind in ("json", "yaml")}
    joined = {f"{name}{kind}" for name in ("-o", "--output=") for kind in ("json", "yaml")}
    return bool(pairs & data or joined.intersection(arguments) or "--json" in arguments)


def says_json() -> bool:
    """Tell if errors of this command are JSON."""
    return _AS_JSON.get()


def say_error(
    code: str, detail: str, errors: tuple[FieldProblem, ...] = (), **more: object
) -> None:
    """One line for the error, and one for each field; or an object with the same."""
    if _AS_JSON.get():
        fields = [{"field": e.field, "code": e.code, "detail": e.detail} for e in errors]
        told = {"code": code, "detail": detail, "errors": fields, **more}
        typer.echo(json_data({"error": told}, to=sys.stderr), err=True)
        return
    typer.echo(f"error [{plain(code)}]: {plain(detail)}", err=True)
    for error in errors:
        line = f"  {plain(error.field)} [{plain(error.code)}]: {plain(error.detail)}"
        typer.echo(line, err=True)
    for found, name in dict(cast("dict[str, str]", more.get("candidates", {}))).items():
        typer.echo(f"  {plain(found)}  {plain(name)}", err=True)
    if more.get("remedy"):
        typer.echo(f"  {plain(str(more['remedy']))}", err=True)


def _fail(error: ClientError) -> NoReturn:
    if not isinstance(error, ProblemError):
        away: dict[str, Any] = {}
        if isinstance(error, NotReachable):
            away["remedy"] = remedy(error.url)
        say_error(error.code, error.detail, **away)
        raise typer.Exit(EXIT_NO_ACCESS) from error
    is_fault = error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    more = _traced(error) if _AS_JSON.get() else {}
    if error.status in _AWAY:
        more["remedy"] = gateway_remedy()
    elif error.code == _UNKNOWN_CALLER:
        more["remedy"] = _ACCESS_REMEDY
    say_error(error.code, error.detail, error.errors, **more)
    if is_fault and error.request_id and not _AS_JSON.get():
        typer.echo(f"  request id {plain(error.request_id)}", err=True)
    unknown = error.status == HTTPStatus.UNAUTHORIZED
    raise typer.Exit(EXIT_NO_ACCESS if unknown else EXIT_REFUSED) from error


def _traced(error: ProblemError) -> dict[str, Any]:
    return {"status": error.status, "request_id": error.request_id}
