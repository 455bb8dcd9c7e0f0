"""Messages and exit codes of commands that do not succeed."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import NoReturn

import typer

from timegate.cli.terminal.wording import plain
from timegate.client import ClientError, FieldProblem, ProblemError
from timegate.domain.values.errors import InvalidInput

#: The API answered, and refused.
EXIT_REFUSED = 1
#: The command line is wrong; typer's own.
EXIT_USAGE = 2
#: No answer, or no credentials.
EXIT_NO_ACCESS = 3
#: The run that was watched did not succeed.
EXIT_NOT_SUCCEEDED = 4
#: What is there is not what files declare.
EXIT_DIFFERENT = 5


@contextmanager
def failures_said() -> Iterator[None]:
    """Say errors of the API and of the rules in one sentence; raises ``typer.Exit``."""
    try:
        yield
    except ClientError as error:
        _fail(error)
    except InvalidInput as error:
        # Found here what the API would refuse: said as the API says it.
        problem = FieldProblem(field=error.field, code=error.code, detail=error.detail)
        say_error("invalid_request", str(error), (problem,))
        raise typer.Exit(EXIT_USAGE) from error


def say_error(code: str, detail: str, errors: tuple[FieldProblem, ...] = ()) -> None:
    """One line for the error, and one for each field."""
    typer.echo(f"error [{plain(code)}]: {plain(detail)}", err=True)
    for error in errors:
        line = f"  {plain(error.field)} [{plain(error.code)}]: {plain(error.detail)}"
        typer.echo(line, err=True)


def _fail(error: ClientError) -> NoReturn:
    if not isinstance(error, ProblemError):
        say_error(error.code, error.detail)
        raise typer.Exit(EXIT_NO_ACCESS) from error
    say_error(error.code, error.detail, error.errors)
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and error.request_id:
        typer.echo(f"  request id {plain(error.request_id)}", err=True)
    unknown = error.status == HTTPStatus.UNAUTHORIZED
    raise typer.Exit(EXIT_NO_ACCESS if unknown else EXIT_REFUSED) from error
