"""Following a run until it has ended."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from timegate.client import JsonObject, TimegateClient
from timegate.domain.runs.run_states import TERMINAL, RunState
from timegate.value_classes import dataclass


def has_ended(run: JsonObject) -> bool:
    """No attempt at it is to come or under way."""
    return run["state"] in TERMINAL


def has_succeeded(run: JsonObject) -> bool:
    """Its target said yes."""
    return bool(run["state"] == RunState.SUCCEEDED)


@dataclass(frozen=True, kw_only=True, slots=True)
class Patience:
    """Interval and end of repeated looks."""

    interval_seconds: float
    until: datetime | None
    now: Callable[[], datetime]
    sleep: Callable[[float], None]

    @classmethod
    def lasting(
        cls,
        timeout_seconds: float | None,
        *,
        interval_seconds: float,
        now: Callable[[], datetime],
        sleep: Callable[[float], None],
    ) -> "Patience":
        """From now on for so long; ``None`` is for ever."""
        until = None if timeout_seconds is None else now() + timedelta(seconds=timeout_seconds)
        return cls(interval_seconds=interval_seconds, until=until, now=now, sleep=sleep)

    def wait(self) -> bool:
        """Wait for the next look; ``False`` when there is to be none."""
        if self.until is not None and self.now() >= self.until:
            return False
        self.sleep(self.interval_seconds)
        return True


def follow(client: TimegateClient, wanted: str, patience: Patience) -> Iterator[JsonObject]:
    """The run as it is at each look, ended last. ``wanted`` is a run's id, or a job's.

    A job's id means its newest run at the first look that finds one.
    """
    run_id = wanted if "." in wanted else _newest_run(client, wanted, patience)
    while run_id is not None:
        run = client.get_run(run_id)
        yield run
        if has_ended(run) or not patience.wait():
            return


def _newest_run(client: TimegateClient, job_id: str, patience: Patience) -> str | None:
    while True:
        runs = client.list_runs(job_id, limit=1)["items"]
        if runs:
            return str(runs[0]["run_id"])
        if not patience.wait():
            return None
