"""``docs/cookbook.md``: each block does what the page says, from its first to its last."""

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.world import World
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.tenant import TenantId
from timegate.testing import run_handler
from timegate.worker import handlers

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

COMPARED = (
    Path(__file__).resolve().parents[4] / "docs" / "reference" / "first-tasks-compared.md"
).read_text()
PAGE = Path(__file__).resolve().parents[4] / "docs" / "cookbook.md"
#: A section, and the blocks that name a file or show commands.
_SECTION = re.compile(r"^## (.+)\n((?:(?!^## ).*\n)*)", re.MULTILINE)
_FILE = re.compile(r"^`([\w.]+)`[^\n]*:\n\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
_SESSION = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
#: A row of the comparison: the anchor of its task, and the lines.
_ROW = re.compile(r"^\| \[[^\]]+\]\(\.\./cookbook\.md#([^)]+)\) \| (\d+) \|", re.MULTILINE)
#: Ids of jobs, operations and traces, and what tells triggered runs apart: from random seeds.
_ID = re.compile(r"\b[a-z2-7]{26}\b|(?<=Z-)[a-z2-7]{16}\b|\b[a-z2-7]{8}(?=\.s\d)|\b[0-9a-f]{32}\b")
GONE = Failure(
    kind=FailureKind.PERMANENT,
    code="http_404",
    type="HttpStatus",
    message="The target answered 404: gone",
)
HOOK = ("--webhook", "https://hooks.example.com/nightly")


@dataclass
class Shell:
    """A shell before the API, in a folder that has the files of the page."""

    timegate: Timegate
    world: World
    #: The page writes a name for an id that differs from stack to stack.
    ids: dict[str, str] = field(default_factory=dict)

    def json(self, *words: str) -> Any:  # noqa: ANN401 - any JSON
        """The answer to a command of the test's own."""
        return self.timegate(*words, "--json").json

    def run(self, command: str) -> str:
        """Run a command of the page, assert success, and return its output."""
        words = [self.ids.get(word, word) for word in shlex.split(command)[1:]]
        words, target = (words[:-2], words[-1]) if words[-2] == ">" else (words, None)
        outcome = self.timegate(*words, columns=80)
        assert outcome.code == 0, (command, outcome)
        if target is not None:
            Path(target).write_text(outcome.out)
            return outcome.err
        return outcome.out + outcome.err


def sections() -> Iterator[tuple[str, str]]:
    """The tasks of the page: headings and bodies."""
    yield from _SECTION.findall(PAGE.read_text())


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a task, and what each printed."""
    text = "".join(_SESSION.findall(body))
    parts = [part.partition("\n") for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]]
    return [(command, output) for command, _, output in parts]


def tidy(text: str) -> list[str]:
    """Without ids, and without the blanks at the ends of lines."""
    return [_ID.sub("ID", line).rstrip() for line in text.strip().splitlines()]


def _fail_last_night(shell: Shell) -> None:
    shell.world.settle()
    shell.world.target.then(GONE)
    words = ("jobs", "create", "--name", "nightly load", "--now", *HOOK)
    job = shell.json(*words)["job_id"]
    shell.world.settle()
    shell.ids["NIGHTLY_RUN"] = shell.json("runs", "list", job)["items"][0]["run_id"]


def _publish_late(shell: Shell) -> None:
    shell.world.clock.advance(2)
    shell.world.settle()


def _settle(shell: Shell) -> None:
    shell.world.settle()


def _open_release(shell: Shell) -> None:
    """Open its run, as the execution of the stage does."""
    found = shell.json("dags", "runs", "release")["items"][0]["dag_run_id"]
    run = shell.world.dag_runs.get(TenantId("acme"), DagRunId(found))
    DagWorld(world=shell.world, dags=shell.world.dags).open(run)
    shell.ids["RELEASE_RUN"] = found


def _miss_an_hour(shell: Shell) -> None:
    words = ("jobs", "create", "--name", "hourly", "--cron", "0 * * * *", *HOOK)
    shell.json(*words)


#: Preparation of a task, by a word of its heading.
BEFORE = {
    "failures": _fail_last_night,
    "late": _publish_late,
    "reason": _settle,
    "hour": _miss_an_hour,
}


#: Names and steps before a command with this word.
NAMED = {"RELEASE_RUN": _open_release}


@pytest.fixture
def shell(
    timegate: Timegate, served: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shell]:
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield Shell(timegate, served)
    sys.modules.pop("sync_app", None)


def test_the_page_shows_what_happens(shell: Shell) -> None:
    """In its order, line by line."""
    for heading, body in sections():
        for name, text in _FILE.findall(body):
            Path(name).write_text(text)
        for word in heading.split():
            BEFORE.get(word, lambda _: None)(shell)
        for command, output in commands(body):
            for word in command.split():
                NAMED.get(word, lambda _: None)(shell)
            assert tidy(shell.run(command)) == tidy(output), command


def test_two_hundred_lines_take_the_same_two_commands(shell: Shell) -> None:
    """Each is a job, by the name in the comment above it."""
    lines = [f"# task {n}\n{n % 60} {n % 24} * * * /opt/task {n}" for n in range(200)]
    Path("ops.crontab").write_text("\n".join(lines))
    body = dict(sections())["Two hundred lines of a crontab"]
    said = [shell.run(command) for command, _ in commands(body)]
    listed = shell.json("jobs", "list", "--all")["items"]

    assert said[0].splitlines()[-1] == "200 imported, 0 refused."
    assert "200 to create" in said[1]
    assert {each["name"] for each in listed} == {f"task {n}" for n in range(200)}


def test_each_task_has_a_command(shell: Shell) -> None:
    """Else the test above would hold of nothing."""
    assert [heading for heading, body in sections() if not commands(body)] == []
    assert len(list(sections())) >= 11


def test_the_program_of_the_page_is_a_handler(shell: Shell) -> None:
    """It does what its job asks for."""
    names: dict[str, Any] = {"__name__": "sync_app"}
    exec(dict(_FILE.findall(PAGE.read_text()))["sync_app.py"], names)
    happened = run_handler(names["sync"], payload=["orders"])

    assert happened.result == {"rows": 1}


def test_the_comparison_counts_the_lines_of_the_page() -> None:
    """It counts commands and the files' lines without blanks and comments."""
    rows = re.findall(
        r"^\| \[[^\]]+\]\(\.\./cookbook\.md#([^)]+)\) \| (\d+) \|", COMPARED, re.MULTILINE
    )
    counted = {anchor(heading): str(lines_of(body)) for heading, body in sections()}

    assert dict(rows).items() <= counted.items()
    assert len(rows) >= 8


def anchor(heading: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def lines_of(body: str) -> int:
    """The lines that a reader writes for a task; a crontab is there already, and JSON of AWS."""
    written = [text for name, text in _FILE.findall(body) if name.endswith((".py", ".yaml"))]
    lines = [line.strip() for text in written for line in text.splitlines()]
    return sum(bool(line) and not line.startswith("#") for line in lines) + len(commands(body))
