"""Programs of declared jobs in front of the real API: written, deployed and triggered."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import PROFILE, FakeApi
from tests.support.world import World
from timegate.client import FixedToken, Profile, TimegateClient
from timegate.worker import Worker, handlers

Timegate = Callable[..., Outcome]

ACCESS = Profile(api_url=str(PROFILE["api_url"]), credentials=FixedToken(token="t"))
PROGRAM = '''
from dataclasses import dataclass
from timegate.worker import cron, every, job

@dataclass
class Sales:
    region: str

@job("report", schedule=cron("0 9 * * 1-5", tz="Europe/Berlin"), payload=Sales("eu"))
def report(sales: Sales) -> dict[str, int]:
    """Report the sales of a region."""
    return {"rows": len(sales.region)}

@job("tidy")
async def tidy() -> None: ...
'''


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Each program is the first of its process, in an empty folder."""
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if not name.startswith("timegate"):
            del sys.modules[name]


@pytest.fixture
def write(alone: None, served: World, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a program, as an editor does; its name."""

    def written(text: str = PROGRAM, name: str = "sales_app.py") -> str:
        Path(name).write_text(text)
        sys.modules.pop(Path(name).stem, None)
        monkeypatch.setattr(handlers, "_REGISTERED", {})
        return name

    return written


@pytest.fixture
def program(write: Callable[..., str]) -> str:
    return write()


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """Workers that were told to run, and did not."""
    found: list[Worker] = []

    def run(worker: Worker) -> None:
        found.append(worker)

    monkeypatch.setattr(Worker, "run", run)
    return found


@pytest.fixture
def client(api: FakeApi) -> Iterator[TimegateClient]:
    """A client of the tenant, whose waits let time pass."""
    with TimegateClient(ACCESS, transport=api.transport, sleep=lambda _: None) as client:
        yield client


def verbs(outcome: Outcome) -> dict[str, str]:
    """Return the verb of each step."""
    return {each["name"]: each["verb"] for each in outcome.json["steps"]}


def deploy(timegate: Timegate, program: str, *options: str) -> dict[str, str]:
    return verbs(timegate("deploy", program, "--yes", "--json", *options))
