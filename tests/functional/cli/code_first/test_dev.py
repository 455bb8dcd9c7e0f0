"""``timegate worker run --dev``: a program is deployed, served, and both again."""

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest
import typer
import watchfiles

from tests.functional.cli.fake_api import PROFILE, FakeApi
from tests.functional.cli.programs import (
    Timegate,
    alone,
    begun,
    program,
    write,
)
from tests.functional.cli.served import served, timegate
from timegate.cli.code_first import serving
from timegate.cli.code_first.deploying import ProgramOptions
from timegate.cli.code_first.dev_process import call_again
from timegate.client import FixedToken, Profile, TimegateClient
from timegate.worker import Worker

__all__ = ["alone", "begun", "program", "served", "timegate", "write"]


def test_dev_changes_no_stage_of_others(
    timegate: Timegate, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks nothing, so it takes a stack of this machine; and it watches a file."""
    monkeypatch.setenv("TIMEGATE_API_URL", "https://api.example.com")
    monkeypatch.setenv("TIMEGATE_TOKEN", "t")
    remote = timegate("worker", "run", program, "--dev", columns=400)
    nothing = timegate("worker", "run", "missing.py", "--dev", columns=400)

    assert (remote.code, "is no local stack" in remote.err) == (2, True)
    assert (nothing.code, "there is no file missing.py" in nothing.err) == (2, True)


@pytest.mark.parametrize("variable", ["TIMEGATE_PROFILE_FILE", None])
def test_dev_takes_the_profile_of_make_local(
    timegate: Timegate,
    program: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    variable: str | None,
) -> None:
    """``make local`` writes it where the variable says, and else as ``local``."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    named = tmp_path / "elsewhere.json"
    usual = tmp_path / "timegate" / "profiles" / "local.json"
    usual.parent.mkdir(parents=True, exist_ok=True)
    for path, url in ((named, "http://named.localhost"), (usual, "http://usual.localhost")):
        path.write_text(json.dumps({**PROFILE, "api_url": url}))
    if variable is not None:
        monkeypatch.setenv(variable, str(named))
    taken: list[str] = []

    def client(profile: Profile) -> NoReturn:
        taken.append(profile.api_url)
        raise typer.Exit

    monkeypatch.setattr(serving, "TimegateClient", client)
    monkeypatch.setattr(watchfiles, "run_process", lambda *_, target, args, **__: target(*args))
    timegate("worker", "run", program, "--dev")

    assert taken == ["http://usual.localhost" if variable is None else "http://named.localhost"]


def test_dev_deploys_before_it_serves(
    program: str,
    api: FakeApi,
    timegate: Timegate,
    begun: list[Worker],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Unasked, also where everything is replaced; a program that is wrong says so and waits."""
    local = Profile(api_url=str(PROFILE["api_url"]), credentials=FixedToken(token="t"))
    monkeypatch.setattr(serving, "_local_profile", lambda _: local)
    monkeypatch.setattr(
        serving, "TimegateClient", lambda profile: TimegateClient(profile, transport=api.transport)
    )
    options = ProgramOptions(), serving.ServingOptions(), "local"
    serving.serve_in_dev(program, *options)
    Path("wrong.py").write_text("def broken(:")
    serving.serve_in_dev("wrong.py", *options)
    said = capsys.readouterr()
    jobs = timegate("jobs", "list", "--json").json["items"]

    assert [(each.pool, each.grace_seconds) for each in begun] == [("sales-app", 1.0)]
    assert {each["name"] for each in jobs} == {"report", "tidy"}
    assert "Job/report created" in said.out
    assert "SyntaxError" in said.err


def test_a_change_while_a_process_begins_leaves_no_trace() -> None:
    """It is stopped while it still imports the command; nothing of that comes before."""
    code = (
        "import builtins, pickle, sys\n"
        "from timegate.cli.code_first.dev_process import call_again\n"
        "assert not {'typer', 'httpx'} & sys.modules.keys()\n"
        "def stopped(*_, **__): raise KeyboardInterrupt\n"
        "builtins.__import__ = stopped\n"
        "call_again(sys.argv[1].encode('latin-1'))\n"
    )
    order = pickle.dumps((serving.serve_in_dev, ()), protocol=0).decode("latin-1")
    begun = subprocess.run(
        [sys.executable, "-c", code, order], capture_output=True, text=True, check=True
    )

    assert (begun.stdout, begun.stderr) == ("", "")


def test_a_process_is_given_what_the_command_was_given() -> None:
    """Pickled, so that it is read where an early end is quiet."""
    given = ("app.py", ProgramOptions(), serving.ServingOptions(concurrency=2), "local")
    call_again(pickle.dumps((_note, given)))

    assert [given] == _NOTED


_NOTED: list[object] = []


def _note(*given: object) -> None:
    _NOTED.append(given)
