"""``docs/code-first.md``: its files are deployed, triggered and served, as the page says."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import PROFILE, FakeApi
from tests.functional.cli.served import served, timegate
from tests.support.world import World
from timegate.cli.code_first.programs import load_program
from timegate.client import FixedToken, Profile, TimegateClient
from timegate.worker import handlers
from timegate.worker.declared import capturing, coded_job
from timegate.worker.holding import Hold
from timegate.worker.report_outcome import say
from timegate.worker.runners import ThreadRunner
from timegate.worker.task import ClaimedRun

__all__ = ["served", "timegate"]

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "code-first.md").read_text()
PROGRAM, TRIGGERS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
SESSIONS = re.findall(r"^\$ (timegate deploy .*)\n((?:(?!```).*\n)*)", PAGE, re.MULTILINE)


@pytest.fixture(autouse=True)
def folder(served: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The file of the page, in a folder of its own."""
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    Path("sales_app.py").write_text(PROGRAM)
    yield
    sys.modules.pop("sales_app", None)


@pytest.fixture
def client(api: FakeApi) -> Iterator[TimegateClient]:
    """A client of the tenant; while it waits, a worker works."""
    profile = Profile(api_url=str(PROFILE["api_url"]), credentials=FixedToken(token="t"))

    def work(_: float) -> None:
        jobs = load_program("sales_app.py").jobs
        for run in made.claim_runs("sales-app", worker="w", limit=10)["runs"]:
            hold = Hold(made, ClaimedRun.of(run, lease_seconds=60.0))
            say(made, hold.task, ThreadRunner().work(jobs[run["handler"]], hold), hold=hold)

    with TimegateClient(profile, transport=api.transport, sleep=work) as made:
        yield made


def test_the_page_shows_what_deploy_prints(timegate: Callable[..., Outcome]) -> None:
    """Line by line."""
    for command, output in SESSIONS:
        outcome = timegate(*shlex.split(command)[1:], columns=400)

        assert (outcome.code, outcome.out.strip()) == (0, output.strip())
    assert len(SESSIONS) == 1


def test_the_triggers_of_the_page_have_results(
    timegate: Callable[..., Outcome],
    client: TimegateClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The function's results come back, and the run's log holds its prints."""
    timegate("deploy", "sales_app.py", "--yes")
    monkeypatch.setattr(coded_job, "default_client", lambda: client)
    with capturing.captured():
        exec(TRIGGERS, {})
    run_id, *results = [
        line for line in capsys.readouterr().out.splitlines() if not line.startswith("region")
    ]
    logged = timegate("runs", "logs", run_id).out

    assert results == ["12", "[{'rows': 3}, {'rows': 3}]"]
    assert "region us" in logged
