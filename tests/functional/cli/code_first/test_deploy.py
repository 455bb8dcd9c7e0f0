"""``timegate deploy`` and ``timegate worker run FILE``, in front of the real API."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest
import typer
import watchfiles

from tests.functional.cli.fake_api import PROFILE, FakeApi
from tests.functional.cli.programs import (
    PROGRAM,
    Timegate,
    alone,
    begun,
    deploy,
    program,
    write,
)
from tests.functional.cli.served import served, timegate
from timegate.cli.code_first import serving
from timegate.cli.code_first.deploying import ProgramOptions
from timegate.cli.code_first.dev_process import call_again
from timegate.cli.code_first.programs import load_program
from timegate.client import FixedToken, Profile, TimegateClient
from timegate.worker import Worker

__all__ = ["alone", "begun", "program", "served", "timegate", "write"]


def test_a_program_is_deployed_once(timegate: Timegate, program: str) -> None:
    """Deployed again, it changes nothing; ids stay."""
    first, second = deploy(timegate, program), deploy(timegate, program)
    jobs = {each["name"]: each for each in timegate("jobs", "list", "--json").json["items"]}

    assert first == {"report": "create", "tidy": "create"}
    assert second == {"report": "keep", "tidy": "keep"}
    assert jobs["report"]["action"] == {"type": "worker", "pool": "sales-app", "handler": "report"}
    assert jobs["report"]["payload"] == {"region": "eu"}
    assert jobs["report"]["description"] == "Report the sales of a region."
    assert jobs["tidy"]["schedule"] == {"kind": "manual"}
    assert jobs["tidy"]["tags"] == {"timegate-apply": "sales_app"}


def test_the_differences_are_shown_first(
    timegate: Timegate, program: str, agreed: Callable[[], None]
) -> None:
    """A dry run changes nothing; without a terminal ``--yes`` is needed."""
    agreed()
    shown = timegate("deploy", program, "--dry-run")
    unasked = timegate("deploy", program)
    made = timegate("deploy", program, "--yes")
    again = timegate("deploy", program, "--dry-run")

    assert shown.code == 5
    assert "+ Job/report would be created" in shown.out
    assert "first runs: Mon 2026-11-23 08:00:00" in shown.out
    assert (unasked.code, "[confirmation_required]" in unasked.err) == (2, True)
    assert made.out.splitlines()[-1] == (
        "Pool sales-app offers the runs: timegate worker run sales_app.py"
    )
    assert again.code == 0


def test_an_edited_job_keeps_its_id_and_a_removed_one_ends(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """And nothing of another set."""
    timegate("jobs", "create", "--name", "mine", "--manual", "--pool", "p", "--handler", "h")
    deploy(timegate, write())
    before = {each["name"]: each for each in timegate("jobs", "list", "--json").json["items"]}
    edited = write(PROGRAM.replace("0 9", "0 10").partition('@job("tidy")')[0])
    shown = timegate("deploy", edited, "--dry-run").out
    changed = deploy(timegate, edited)
    after = {each["name"]: each for each in timegate("jobs", "list", "--json").json["items"]}

    assert "schedule.cron: 0 9 * * 1-5 → 0 10 * * 1-5" in shown.replace('"', "")
    assert changed == {"report": "change", "tidy": "prune"}
    assert after["report"]["job_id"] == before["report"]["job_id"]
    assert after["tidy"]["status"] == "cancelled"
    assert after["mine"]["status"] == "active"


def test_a_program_of_the_same_name_ends_no_job_of_another(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """Unless that is asked for, or it has a set of its own."""
    deploy(timegate, write())
    other = write('from timegate.worker import job\n@job("other")\ndef other() -> None: ...\n')
    refused = timegate("deploy", other, "--yes")
    apart = deploy(timegate, other, "--set", "others")
    replaced = deploy(timegate, other, "--replace")

    assert (refused.code, "[set_of_others]" in refused.err) == (1, True)
    assert apart == {"other": "create"}
    assert replaced == {"other": "create", "report": "prune", "tidy": "prune"}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no @job"),
        ("def broken(:", "SyntaxError"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("from timegate.worker import job\njob('a b')", "no handler's name"),
        (PROGRAM.replace(', payload=Sales("eu")', ""), "invalid_payload"),
        (PROGRAM.replace('cron("0 9 * * 1-5"', 'cron("0 99 * * *"'), "invalid_documents"),
    ],
    ids=["empty", "syntax", "import", "name", "payload", "schedule"],
)
def test_a_program_that_cannot_be_deployed_says_why(
    timegate: Timegate, write: Callable[..., str], text: str, why: str
) -> None:
    """Nothing is changed."""
    refused = timegate("deploy", write(text), "--yes", columns=400)

    assert refused.code in (1, 2)
    assert why in refused.err
    assert timegate("jobs", "list", "--json").json["items"] == []


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("missing.py", "There is no file missing.py"),
        ("json.py", "A module called json is in use already"),
        ("sales_app.py:report", "is no worker"),
    ],
)
def test_a_file_that_is_no_program_says_why(
    timegate: Timegate, write: Callable[..., str], where: str, why: str
) -> None:
    """By its name."""
    write()
    Path("json.py").write_text("")
    refused = timegate("deploy", where, "--yes", columns=400)

    assert (refused.code, why in refused.err) == (2, True)


def test_a_programs_own_worker_names_the_pool(write: Callable[..., str]) -> None:
    """And another pool on the command line contradicts it."""
    named = write(PROGRAM + "\nfrom timegate.worker import Worker\nworker = Worker(pool='own')\n")
    program = load_program(named)

    assert (program.pool, program.name) == ("own", "sales_app")
    assert isinstance(program.worker, Worker)
    with pytest.raises(Exception, match=r"the worker of sales_app.py has the pool own"):
        load_program(named, pool="other")


def test_a_worker_runs_a_file(
    timegate: Timegate, program: str, begun: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The jobs of the file, in its pool, with the profile that is named; prints are captured."""
    monkeypatch.setenv("TIMEGATE_API_URL", "https://api.example.com")
    monkeypatch.setenv("TIMEGATE_TOKEN", "t")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd()))
    ran = timegate("worker", "run", program, "--concurrency", "3", "--profile", "local")
    (worker,) = begun

    assert ran.code == 0
    assert (worker.pool, worker._captures, len(worker._runners)) == ("sales-app", True, 3)
    assert worker.profile is not None
    assert worker.profile.api_url == "https://api.example.com"
    assert set(worker._handlers or {}) == {"report", "tidy"}


def test_a_worker_refuses_a_function_that_no_run_can_be_given_to(
    timegate: Timegate, write: Callable[..., str], begun: list[Worker]
) -> None:
    """Each of its runs would fail, one after the other, where deploy refuses the file."""
    text = "from timegate.worker import job\n@job('swapped')\ndef swapped(ctx, rows: int): ...\n"
    refused = timegate("worker", "run", write(text), columns=400)

    assert (refused.code, begun) == (2, [])
    assert "swapped takes ctx, rows: a handler takes a payload, then a Context" in refused.err


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
