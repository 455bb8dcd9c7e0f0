"""``make demo``: create the jobs through the API, watch them, judge how they ended."""

import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from rich.console import Console
from rich.live import Live

from infra.local.cloud import LocalCloud
from infra.local.demo.scenes import Scene, scenes
from infra.local.demo.table import table
from infra.local.demo.targets import targets
from infra.local.deployment import Outputs
from infra.rollout_choice import LIVE
from timegate.client import TimegateClient, load_profile
from timegate.client.schemas import NewJob

#: The slowest job is done after about twenty seconds.
PATIENCE_SECONDS = 75.0
_LOOK_SECONDS = 0.4
_PIPE_COLUMNS = 120


def show(cloud: LocalCloud, outputs: Outputs, profile: Path) -> bool:
    """Run the demonstration on a deployed stack; whether everything ended as it must."""
    console = _console()
    console.print("Starting every function's worker …")
    warm(cloud, outputs)
    with (
        TimegateClient(load_profile({"TIMEGATE_PROFILE_FILE": str(profile)})) as timegate,
        targets(cloud) as called,
    ):
        planned = scenes(called, now=datetime.now(UTC))
        job_ids = {s.name: timegate.create_job(_job(s))["job_id"] for s in planned}
        seen = _watch(timegate, planned, job_ids, console)
    wrong = [scene for scene in planned if not scene.accepts(seen[scene.name])]
    for scene in wrong:
        console.print(
            f"[red]{scene.name}[/red]: expected {scene.runs} x {scene.state} after "
            f"{scene.attempts} tries; see the table."
        )
    if not wrong:
        _say_what_next(console, job_ids)
    return not wrong


def _job(scene: Scene) -> NewJob:
    return cast("NewJob", scene.definition)


def _console() -> Console:
    """A terminal as wide as it is; in a pipe, wide enough for the table."""
    console = Console()
    return console if console.is_terminal else Console(width=_PIPE_COLUMNS)


def warm(cloud: LocalCloud, outputs: Outputs) -> None:
    """Invoke every executor with nothing to do: starting Python is not what is shown here."""
    with closing(cloud.client("lambda")) as functions, ThreadPoolExecutor(4) as pool:
        names = [*json.loads(outputs["ExecutorFunctionNames"]).values()]
        names += [outputs["RelayFunctionName"], outputs["OutcomesFunctionName"]]
        nothing = json.dumps({"Records": []})
        alive = partial(functions.invoke, Qualifier=LIVE, Payload=nothing)
        list(pool.map(lambda name: alive(FunctionName=name), names))


def _watch(
    timegate: TimegateClient, planned: Sequence[Scene], job_ids: dict[str, str], console: Console
) -> dict[str, list[Any]]:
    seen: dict[str, list[Any]] = {scene.name: [] for scene in planned}
    deadline = time.monotonic() + PATIENCE_SECONDS
    with Live(table(planned, seen), console=console, auto_refresh=False) as live:
        while time.monotonic() < deadline:
            for scene in planned:
                if not scene.accepts(seen[scene.name]):
                    seen[scene.name] = timegate.list_runs(job_ids[scene.name])["items"]
            live.update(table(planned, seen), refresh=True)
            if all(scene.accepts(seen[scene.name]) for scene in planned):
                break
            time.sleep(_LOOK_SECONDS)
    console.line()
    return seen


def _say_what_next(console: Console, job_ids: dict[str, str]) -> None:
    timegate = Path(sys.executable).with_name("timegate")
    program = timegate.relative_to(Path.cwd()) if timegate.is_relative_to(Path.cwd()) else timegate
    dead = job_ids["hopeless: gives up"]
    console.print("[green]Everything ended as it should.[/green] The stack keeps running:")
    console.print(f"  {program} jobs list", highlight=False)
    console.print(f"  {program} runs list {dead}      # the one that gave up", highlight=False)
    console.print(
        f"  {program} schedule preview --cron '0 9 * * mon-fri' --timezone Europe/Berlin",
        highlight=False,
    )
    console.print("  make local-stop                    # when you have seen enough")
