"""``timegate worker run``: a program that works on the runs of its jobs."""

import logging
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from timegate.cli.code_first.deploying import ProgramOptions, deploy_program
from timegate.cli.code_first.dev_process import call_again
from timegate.cli.code_first.programs import Program, load_program
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.failures import failures_said
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.profile_option import ProfileOption
from timegate.cli.terminal.session import Output, Session, Surroundings, surroundings
from timegate.client import Profile, TimegateClient, load_profile
from timegate.client.access.profile import DEFAULT_PROFILE, PROFILE_FILE
from timegate.value_classes import dataclass
from timegate.worker import JsonLines, Worker
from timegate.worker.declared.triggered_run import triggering_as

workers = typer.Typer(no_args_is_help=True, help="Work on the runs that a pool offers.")

#: A program that changes is begun again after this: its runs are released, and go on in the next.
_DEV_GRACE_SECONDS = 1.0
#: Longer than a worker takes to stop.
_STOP_SECONDS = 12
_LOCAL_HOSTS = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ServingOptions:
    """Work at once, and its kind."""

    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", min=1, metavar="N", help="Work on N runs at once, in threads; else 1."
        ),
    ] = None
    processes: Annotated[
        int | None,
        typer.Option(
            "--processes", min=0, metavar="N", help="Work in N processes instead of threads."
        ),
    ] = None

    def check(self, program: Program) -> None:
        """Raise ``BadParameter`` for a number that would be left alone."""
        given = [
            f"--{name}" for name in ("concurrency", "processes") if getattr(self, name) is not None
        ]
        if program.worker is not None and given:
            message = (
                f"{given[0]} is given, and {program.source} has a worker of its own: say there how"
                " many runs it works on."
            )
            raise typer.BadParameter(message)
        if self.processes and self.concurrency is not None:
            message = "--processes works instead of threads: leave --concurrency out."
            raise typer.BadParameter(message)


# A group of one command would else be that command.
@workers.callback()
def group() -> None:
    """Work on the runs that a pool offers."""


@workers.command("run")
@grouped
def run(
    ctx: typer.Context,
    where: Annotated[
        str,
        typer.Argument(
            metavar="FILE.py|MODULE:WORKER", help="Name the program whose functions do the work."
        ),
    ],
    program: ProgramOptions,
    serving: ServingOptions,
    profile: ProfileOption = None,
    dev: Annotated[
        bool,
        typer.Option(
            "--dev", help="Deploy to the local stack first, and again after each change of a file."
        ),
    ] = False,
) -> None:
    """Run a worker until it is sent SIGTERM or Ctrl-C; what it logs goes to standard error.

    Prints and logs of functions go into the logs of their runs as well.

    timegate worker run app.py --dev
    """
    named = profile or surroundings(ctx).profile
    if dev:
        _develop(where, program, serving, named)
        return
    loaded = load_program(where, pool=program.pool, name=program.files)
    _serve(loaded, serving, load_profile(os.environ, named) if named else None)


def _serve(
    program: Program,
    serving: ServingOptions,
    profile: Profile | None,
    *,
    grace_seconds: float | None = None,
) -> None:
    """Let the program's own worker work, or one that does its jobs; of the profile that is named.

    Raises ``BadParameter`` for a program without a handler, or with one that can do no run.
    """
    if program.worker is None and not program.jobs:
        message = f"{program.source} has no @job."
        raise typer.BadParameter(message)
    program.check_handlers()
    serving.check(program)
    worker = program.worker or Worker(
        pool=program.pool,
        handlers=program.jobs,
        concurrency=serving.concurrency or 1,
        processes=serving.processes or 0,
    )
    worker.profile = profile or worker.profile
    worker.grace_seconds = worker.grace_seconds if grace_seconds is None else grace_seconds
    worker.capture()
    with _logged(), triggering_as(worker.profile):
        worker.run()


def _develop(
    where: str, program: ProgramOptions, serving: ServingOptions, profile: str | None
) -> None:
    """Serve the program in a process, made again after each change of a file beside it."""
    from watchfiles import PythonFilter, run_process  # noqa: PLC0415 - needed by --dev alone

    path = where.partition(":")[0]
    if not path.endswith(".py") or not Path(path).is_file():
        message = f"--dev watches a file, and there is no file {path}."
        raise typer.BadParameter(message)
    _local_profile(profile)
    run_process(
        Path(path).resolve().parent,
        target=call_again,
        args=(pickle.dumps((serve_in_dev, (where, program, serving, profile))),),
        watch_filter=PythonFilter(),
        debounce=300,
        sigint_timeout=_STOP_SECONDS,
    )


def serve_in_dev(
    where: str, program: ProgramOptions, serving: ServingOptions, profile: str | None
) -> None:
    """Deploy and serve a program in a process of its own, until it is told to stop.

    A program that cannot be imported or deployed says so, and waits for its next change.
    """
    try:
        with failures_said():
            loaded = load_program(where, pool=program.pool, name=program.files)
            access = _local_profile(profile)
            with TimegateClient(access) as client:
                opening = Session(
                    client=client,
                    surroundings=Surroundings(),
                    output=Output.TABLE,
                    api_url=access.api_url,
                )
                deploy_program(
                    opening, loaded, YesOption(yes=True), dry_run=False, replace=True, days=0
                )
            _serve(loaded, serving, access, grace_seconds=_DEV_GRACE_SECONDS)
    except typer.BadParameter as error:
        typer.echo(f"error: {error.message}", err=True)
    except (typer.Exit, KeyboardInterrupt):
        return


def _local_profile(name: str | None) -> Profile:
    """Return a profile of a stage on this machine; raises ``BadParameter`` for another.

    ``None``: the one that ``make local`` writes.
    """
    if name is None and not (os.environ.get(PROFILE_FILE) or os.environ.get("TIMEGATE_API_URL")):
        name = DEFAULT_PROFILE
    profile = load_profile(os.environ, name)
    host = urlsplit(profile.api_url).hostname or ""
    if host not in _LOCAL_HOSTS and not host.endswith(".localhost"):
        message = f"--dev changes jobs unasked, and {profile.api_url} is no local stack."
        raise typer.BadParameter(message)
    return profile


@contextmanager
def _logged() -> Iterator[None]:
    """Write the worker's log to standard error."""
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    logger = logging.getLogger("timegate.worker")
    logger.addHandler(lines)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(lines)
