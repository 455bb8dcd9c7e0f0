"""``timegate deploy`` and ``timegate worker run FILE``, in front of the real API."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.functional.cli.fake_api import PROFILE
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
from timegate.cli.code_first.programs import load_program
from timegate.worker import Worker
from timegate.worker.declared.triggered_run import default_client

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
        ("import os\n\nos.environ['NO_SUCH_VARIABLE']", "KeyError: 'NO_SUCH_VARIABLE' ("),
        ("import os\n\nos.environ['NO_SUCH_VARIABLE']", "sales_app.py, line 3)"),
        (PROGRAM + "raise SystemExit", "sales_app cannot be imported: it ends this process"),
        (PROGRAM + "raise SystemExit(0)", 'keep that under if __name__ == "__main__"'),
        (PROGRAM.replace(', payload=Sales("eu")', ""), "invalid_payload"),
        (PROGRAM.replace('cron("0 9 * * 1-5"', 'cron("0 99 * * *"'), "invalid_documents"),
    ],
    ids=[
        "empty",
        "syntax",
        "import",
        "name",
        "error",
        "line",
        "exit",
        "end",
        "payload",
        "schedule",
    ],
)
def test_a_program_that_cannot_be_deployed_says_why(
    timegate: Timegate, write: Callable[..., str], text: str, why: str
) -> None:
    """Nothing is changed."""
    refused = timegate("deploy", write(text), "--yes", columns=400)

    assert refused.code in (1, 2)
    assert why in refused.err
    assert timegate("jobs", "list", "--json").json["items"] == []


def test_what_a_program_prints_is_no_data_of_the_command(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """Another program reads the answer; the print is beside it."""
    made = timegate("deploy", write('print("begun")\n' + PROGRAM), "--yes", "--json")

    assert [each["verb"] for each in made.json["steps"]] == ["create", "create"]
    assert made.err == "begun\n"


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


def test_a_worker_with_handlers_of_its_own_has_their_jobs(
    timegate: Timegate, write: Callable[..., str]
) -> None:
    """No worker would claim runs of the others in its pool; each of several workers has its own."""
    workers = "\n".join(
        f"{name} = Worker(pool={name!r}, handlers={{{job!r}: {job}}})"
        for name, job in [("worker", "report"), ("other", "tidy")]
    )
    named = write(f"{PROGRAM}\nfrom timegate.worker import Worker\n{workers}\n")
    first = deploy(timegate, named)
    second = deploy(timegate, f"{named}:other", "--set", "other")
    jobs = timegate("jobs", "list", "--json").json["items"]

    assert (first, second) == ({"report": "create"}, {"tidy": "create"})
    assert {each["name"]: each["action"]["pool"] for each in jobs} == {
        "report": "worker",
        "tidy": "other",
    }


def test_a_worker_runs_a_file(
    timegate: Timegate, program: str, begun: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The jobs of the file, in its pool, with the profile that is named; prints are captured.

    Jobs that the process triggers are those of its profile too: others were the environment's.
    """
    stages: list[str] = []

    def note(worker: Worker, run: Callable[[Worker], None] = Worker.run) -> None:
        stages.append(default_client().sender.api_url)
        run(worker)

    monkeypatch.setattr(Worker, "run", note)
    monkeypatch.setenv("TIMEGATE_API_URL", "https://other.example.com")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(Path.cwd()))
    profiles = Path.cwd() / "timegate" / "profiles"
    profiles.mkdir(parents=True, exist_ok=True)
    named = {**PROFILE, "api_url": "https://api.example.com"}
    (profiles / "named.json").write_text(json.dumps(named))
    ran = timegate("worker", "run", program, "--concurrency", "3", "--profile", "named")
    (worker,) = begun

    assert ran.code == 0
    assert (worker.pool, worker._captures, len(worker._runners)) == ("sales-app", True, 3)
    assert worker.profile is not None
    assert worker.profile.api_url == "https://api.example.com"
    assert set(worker._handlers or {}) == {"report", "tidy"}
    assert stages == ["https://api.example.com"]


def test_a_worker_refuses_a_function_that_no_run_can_be_given_to(
    timegate: Timegate, write: Callable[..., str], begun: list[Worker]
) -> None:
    """Each of its runs would fail, one after the other, where deploy refuses the file."""
    text = "from timegate.worker import job\n@job('swapped')\ndef swapped(ctx, rows: int): ...\n"
    refused = timegate("worker", "run", write(text), columns=400)

    assert (refused.code, begun) == (2, [])
    assert "swapped takes ctx, rows: a handler takes a payload, then a Context" in refused.err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["sales_app.py", "--concurrency", "8"], "--concurrency is given, and sales_app.py has"),
        (["sales_app.py", "--processes", "2"], "--processes is given, and sales_app.py has"),
        (["plain.py", "--processes", "2", "--concurrency", "8"], "leave --concurrency out"),
    ],
)
def test_a_number_of_runs_that_would_be_left_alone_is_refused(
    timegate: Timegate, write: Callable[..., str], begun: list[Worker], words: list[str], why: str
) -> None:
    """A worker of the program's has its own, and processes have one run each."""
    write(PROGRAM, "plain.py")
    write(PROGRAM + "\nfrom timegate.worker import Worker\nworker = Worker(pool='own')\n")
    refused = timegate("worker", "run", *words, columns=400)

    assert (refused.code, why in refused.err, begun) == (2, True, [])


@pytest.mark.parametrize(
    ("options", "runners"),
    [([], 1), (["--processes", "2"], 2), (["--processes", "0", "--concurrency", "3"], 3)],
)
def test_a_worker_works_on_as_many_runs_as_is_said(
    timegate: Timegate, program: str, begun: list[Worker], options: list[str], runners: int
) -> None:
    """In threads, or in processes."""
    timegate("worker", "run", program, *options)

    assert [len(each._runners) for each in begun] == [runners]
