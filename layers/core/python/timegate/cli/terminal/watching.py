"""Following a run until it has ended."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Annotated

import typer
from rich.live import Live

from timegate.cli.lengthening.searching import is_run_id
from timegate.cli.terminal.failures import EXIT_NOT_SUCCEEDED, say_error
from timegate.cli.terminal.session import Session, drawn, terminal
from timegate.cli.terminal.tables import run_details
from timegate.cli.terminal.values import seconds_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject, TimegateClient
from timegate.client.errors import ClientError
from timegate.domain.runs.run_states import TERMINAL, RunState
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: Between two looks at a run.
INTERVAL_SECONDS = 1.0


def has_ended(run: JsonObject) -> bool:
    """No attempt at it is to come or under way."""
    return run["state"] in TERMINAL


def has_succeeded(run: JsonObject) -> bool:
    """Its target said yes."""
    return bool(run["state"] == RunState.SUCCEEDED)


@dataclass(frozen=True, kw_only=True, slots=True)
class WaitOptions:
    """Options of following what a command starts."""

    wait: Annotated[
        bool, typer.Option("--wait", help="Follow it to its end; exits with 4 if it fails.")
    ] = False
    timeout: Annotated[
        float | None, seconds_option(help="Give up waiting after so long, with --wait.")
    ] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Interval and end of repeated looks."""

    interval_seconds: float
    until: datetime | None
    now: Callable[[], datetime]
    sleep: Callable[[float], None]

    @classmethod
    def of(
        cls, session: Session, timeout_seconds: float | None, interval_seconds: float
    ) -> "Patience":
        """From now on for so long, by a session's clock; ``None`` is for ever."""
        around = session.surroundings
        until = (
            None if timeout_seconds is None else around.now() + timedelta(seconds=timeout_seconds)
        )
        return cls(
            interval_seconds=interval_seconds, until=until, now=around.now, sleep=around.sleep
        )

    def wait(self) -> bool:
        """Wait for the next look; ``False`` when there is to be none."""
        if self.until is not None and self.now() >= self.until:
            return False
        self.sleep(self.interval_seconds)
        return True


def follow(client: TimegateClient, wanted: str, patience: Patience) -> Iterator[JsonObject]:
    """The run as it is at each look, ended last. ``wanted`` is a run's id, or a job's.

    A job's id means, at the first look that finds one, its latest run that is due, or else the
    first to come.
    """
    run_id = _run_in_time(client, wanted, patience)
    while run_id is not None:
        run = client.get_run(run_id)
        yield run
        if has_ended(run) or not patience.wait():
            return


def run_meant(client: TimegateClient, wanted: str, now: datetime) -> str:
    """Return the id of the run that a word means: of a job, its latest that is due, or its next.

    Raises ``ClientError`` where a job has no run.
    """
    run_id = _run_if_any(client, wanted, now)
    if run_id is None:
        raise ClientError("run_not_found", f"The job {wanted} has no run on record.")
    return run_id


def _run_in_time(client: TimegateClient, wanted: str, patience: Patience) -> str | None:
    while (run_id := _run_if_any(client, wanted, patience.now())) is None:
        if not patience.wait():
            return None
    return run_id


def _run_if_any(client: TimegateClient, wanted: str, now: datetime) -> str | None:
    if is_run_id(wanted):
        return wanted
    runs = client.list_runs(wanted, end=rfc3339(now), limit=1)["items"]
    # Listings begin with the newest: runs are planned ahead, and the next one comes last.
    runs = runs or [*client.list_runs.iterate(wanted, limit=100)]
    return str(runs[-1]["run_id"]) if runs else None


def tell_started(started_id: str) -> None:
    """Name what was started before it is followed, on standard error.

    A command that is interrupted, or loses its connection, shows nothing more of it.
    """
    typer.echo(f"Started {plain(started_id)}.", err=True)


def show_started_run(opening: Session, run: JsonObject, waiting: WaitOptions) -> None:
    """Print the run that was started, or follow it; then exits with 4 unless it succeeded."""
    if not waiting.wait:
        opening.show(run, run_details)
        return
    tell_started(run["run_id"])
    patience = Patience.of(opening, waiting.timeout, INTERVAL_SECONDS)
    follow_to_end(opening, run["run_id"], patience, waiting.timeout)


def follow_to_end(
    session: Session, wanted: str, patience: Patience, timeout_seconds: float | None
) -> None:
    """Show a run until it has ended; exits with 4 unless it succeeded."""
    last = _follow_live(session, wanted, patience)
    if last is None or not has_ended(last):
        say_error("not_ended", f"{wanted} has not ended within {timeout_seconds} s.")
    if last is None or not has_succeeded(last):
        raise typer.Exit(EXIT_NOT_SUCCEEDED)


def _follow_live(session: Session, wanted: str, patience: Patience) -> JsonObject | None:
    """The run as it was last seen, having shown it all the while, or in the end to a pipe."""
    looks = follow(session.client, wanted, patience)
    console = terminal()
    last = None
    if session.wants_data or not console.is_terminal:
        *_, last = (None, *looks)
        if last is not None:
            session.show(last, run_details)
        return last
    with Live(console=console, auto_refresh=False) as live:
        for last in looks:
            live.update(drawn(last, run_details), refresh=True)
    return last
