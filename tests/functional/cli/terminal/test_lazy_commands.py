"""The root imports a command when it is chosen, and shows what the command says of itself."""

import inspect
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import copy

import pytest

from tests.functional.cli.conftest import Outcome
from timegate.cli.entries import ENTRIES
from timegate.cli.terminal.lazy_commands import LazyCommands, RootCommand, loaded

Timegate = Callable[..., Outcome]
PLACES = {entry.name: entry.place.partition(":")[0] for entry in ENTRIES}


@pytest.fixture
def port(socket_enabled: None) -> Iterator[int]:
    """A port of this machine that no server listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


def imported_by(*arguments: str, environ: dict[str, str]) -> set[str]:
    """Names of the root's commands whose modules a new process imports."""
    code = "import sys\nfrom timegate.cli.main import app\ntry:\n    app()\nexcept SystemExit:\n"
    code += f"    print('imported', *({PLACES!r}.values() & sys.modules.keys()))"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={"PYTHONPATH": "layers/core/python", **environ},
        capture_output=True,
        text=True,
        check=True,
    )
    found = done.stdout.splitlines()[-1].split()[1:]
    return {name for name, place in PLACES.items() if place in found}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_a_line_of_the_root_is_the_first_paragraph_of_the_commands_help(entry: RootCommand) -> None:
    """An entry repeats one line, so that help imports no command."""
    own = inspect.cleandoc(loaded(entry).help).partition("\n\n")[0]

    assert entry.help == own.replace("\n", " ")


def test_the_roots_help_is_the_same_with_every_command_loaded(
    timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in hides, groups and orders nothing that its command shows otherwise."""

    def with_commands(root: LazyCommands) -> LazyCommands:
        whole = copy(root)
        whole.commands = {entry.name: loaded(entry) for entry in ENTRIES}
        return whole

    lazy = timegate("--help")
    monkeypatch.setattr(LazyCommands, "_outline", with_commands)

    assert lazy.out == timegate("--help").out
    assert all(f" {name} " in lazy.out for name in PLACES)


def test_commands_of_dag_runs_have_a_second_name(timegate: Timegate) -> None:
    """The same commands, which are described once: help and completion list the first name."""
    first, second = (timegate(name, "approve", "--help").out for name in ("dags", "dag-runs"))

    # The line of usage is padded to the width of the terminal.
    assert [each.split() for each in second.replace(" dag-runs ", " dags ").splitlines()] == [
        each.split() for each in first.splitlines()
    ]
    assert "dag-runs" in second
    assert "dag-runs" not in timegate("--help").out


def test_help_imports_no_command_and_a_command_no_other() -> None:
    """A command is imported when its name is on the command line."""
    assert imported_by("--help", environ={}) == set()
    assert imported_by("schedule", "--help", environ={}) == {"schedule"}


def test_completing_a_name_imports_no_command() -> None:
    """The shell waits for each tab."""
    environ = {
        "_TIMEGATE_COMPLETE": "complete_bash",
        "COMP_WORDS": "timegate fr",
        "COMP_CWORD": "1",
    }
    code = "from timegate.cli.main import app\nimport sys\ntry:\n    app(prog_name='timegate')\n"
    code += "except SystemExit:\n    print('httpx' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": "layers/core/python", **environ},
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines() == ["freezes", "False"]


def test_an_unknown_command_is_answered_with_a_similar_one(timegate: Timegate) -> None:
    """Suggestions know every name."""
    refused = timegate("job", "list")

    assert refused.code == 2
    assert "No such command 'job'. Did you mean 'jobs'" in refused.err


def test_a_listing_of_a_stage_that_is_down_loads_few_modules(port: int) -> None:
    """Loading is most of the two seconds within which a person is told: half a second of work."""
    code = "import sys\nfrom timegate.cli.__main__ import run\n"
    code += "try:\n    run()\nexcept SystemExit as e:\n"
    code += "    ours = [name for name in sys.modules if name.startswith('timegate')]\n"
    code += "    print(e.code, len(sys.modules), len(ours), 'yaml' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "jobs", "list"],
        env={
            "PYTHONPATH": "layers/core/python",
            "TIMEGATE_API_URL": f"http://127.0.0.1:{port}",
            "TIMEGATE_TOKEN": "t",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    exit_code, modules, ours, reads_yaml = done.stdout.split()

    assert (exit_code, reads_yaml) == ("3", "False")
    assert int(modules) <= 700
    assert int(ours) <= 214
