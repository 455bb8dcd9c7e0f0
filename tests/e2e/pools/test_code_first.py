"""A file of a few lines on the deployed stack: deployed, served, changed and deployed again."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from infra.local.access import profile, write_profile
from tests.support.deployed.stack import Stack, wait_until
from timegate.client import TimegateClient, load_profile
from timegate.client.schemas import RunRow
from timegate.worker import NotDeployed, handlers
from timegate.worker.declared.triggered_run import job_called

pytestmark = pytest.mark.wide

ROOT = Path(__file__).resolve().parents[3]
TIMEGATE = (sys.executable, "-m", "timegate.cli")
PROGRAM = """\
from dataclasses import dataclass
from timegate.worker import every, job


@dataclass
class Sales:
    region: str


@job("sales", schedule=every("5s"), payload=Sales("eu"))
def sales(wanted: Sales) -> dict[str, int]:
    print("region", wanted.region)
    return {"rows": len(wanted.region)}
"""


@pytest.fixture
def home(stack: Stack, tmp_path: Path) -> Path:
    """A home whose profile ``local`` is the stack's."""
    path = tmp_path / "timegate" / "profiles" / "local.json"
    write_profile(profile(stack.cloud, stack.outputs, stack.outputs["UserPoolClientId"]), path)
    return tmp_path


@pytest.fixture
def client(home: Path) -> Iterator[TimegateClient]:
    with TimegateClient(load_profile({"XDG_CONFIG_HOME": str(home)})) as client:
        yield client


@dataclass(frozen=True)
class Desk:
    """Commands of a person with that home, each in a process of its own."""

    home: Path

    @property
    def of(self) -> dict[str, Any]:
        """Folder and variables of a process."""
        kept = {name: x for name, x in os.environ.items() if not name.startswith("TIMEGATE_")}
        own = {
            "XDG_CONFIG_HOME": str(self.home),
            "PYTHONPATH": f"{ROOT}/layers/core/python",
            "PYTHONUNBUFFERED": "1",
        }
        return {"cwd": self.home, "env": kept | own}

    def deploy(self, path: Path) -> dict[str, str]:
        """Deploy a file; what was done with each job."""
        words = [*TIMEGATE, "deploy", str(path), "--yes", "--json"]
        done = subprocess.run(words, **self.of, capture_output=True, text=True, check=True)
        return {step["name"]: step["verb"] for step in json.loads(done.stdout)["steps"]}


@pytest.fixture
def program(home: Path) -> Iterator[Path]:
    """The file, served by ``timegate worker run --dev``."""
    path = home / "app" / "sales_app.py"
    path.parent.mkdir()
    path.write_text(PROGRAM)
    words = [*TIMEGATE, "worker", "run", str(path), "--dev"]
    with (home / "dev.log").open("wb") as log:
        process = subprocess.Popen(words, **Desk(home).of, stdout=log, stderr=log)
    try:
        yield path
    finally:
        # A shell lets what it starts in the background ignore SIGINT.
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        finally:
            process.kill()
            process.wait()


def id_of(client: TimegateClient, name: str) -> str | None:
    try:
        return job_called(client, name)
    except NotDeployed:
        return None


def done_twice(client: TimegateClient, job_id: str, told: Callable[[], str]) -> list[RunRow]:
    """The first two runs that have succeeded."""

    def look() -> list[RunRow] | None:
        done = client.list_runs(job_id, state="succeeded", limit=100)["items"]
        return done[:-3:-1] if len(done) > 1 else None

    return wait_until(look, seconds=60, what=told)


def test_a_file_of_a_few_lines_runs_every_five_seconds(
    client: TimegateClient, program: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its result is read, its prints are the run's log, and a change of the file is served."""

    def told() -> str:
        return (home / "dev.log").read_text()

    job_id = wait_until(lambda: id_of(client, "sales"), seconds=60, what=told)
    first, second = done_twice(client, job_id, told)
    apart = datetime.fromisoformat(second["due_at"]) - datetime.fromisoformat(first["due_at"])
    lines = [line["text"] for line in client.read_log(first["run_id"])["items"]]
    monkeypatch.syspath_prepend(str(program.parent))
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    names: dict[str, Any] = {"__name__": "sales_app"}
    exec(PROGRAM, names)
    triggered = names["sales"].trigger(names["Sales"]("north"), client=client)

    assert PROGRAM.count("\n") <= 15
    assert client.get_result(first["run_id"])["result"] == '{"rows":2}'
    assert "region eu" in lines
    assert apart == timedelta(seconds=5)
    assert triggered.wait(timeout_seconds=60) == {"rows": 5}

    program.write_text(PROGRAM.replace('"rows": len(wanted.region)', '"rows": 99'))

    def changed() -> bool | None:
        run = names["sales"].trigger(client=client)
        return True if run.wait(timeout_seconds=60) == {"rows": 99} else None

    wait_until(changed, seconds=90, what=told)

    assert id_of(client, "sales") == job_id


def test_a_deployed_file_is_what_the_stage_has(client: TimegateClient, home: Path) -> None:
    """Deployed again it changes nothing; an edited job keeps its id, and a removed one ends."""
    path = home / "night_app.py"
    declared = "from timegate.worker import cron, job\n"
    first = '@job("nightly", schedule=cron("0 2 * * *"))\ndef nightly() -> None: ...\n'
    second = '@job("by-hand")\ndef by_hand() -> None: ...\n'
    path.write_text(declared + first + second)
    made, kept = (Desk(home).deploy(path) for _ in range(2))
    its_id = job_called(client, "nightly")
    path.write_text(declared + first.replace("0 2", "0 3"))
    changed = Desk(home).deploy(path)
    job: Any = client.get_job(job_called(client, "nightly"))

    assert (set(made.values()), set(kept.values())) == ({"create"}, {"keep"})
    assert changed == {"nightly": "change", "by-hand": "prune"}
    assert (job["job_id"], job["schedule"]["cron"]) == (its_id, "0 3 * * *")
