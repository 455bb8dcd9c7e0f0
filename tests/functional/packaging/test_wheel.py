"""The wheel: built, installed into an empty environment, and used there."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.support.wheels import ROOT, built, installed, run

#: The rules that the command line previews and simulates with are the domain's.
SHIPPED = {
    *("__init__.py", "py.typed", "pytest_plugin.py", "value_classes.py"),
    *("cli", "client", "contracts", "declaring", "domain", "testing", "worker"),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built by the backend that the lock file pins."""
    return built(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def sdk(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of ``pip install timegate``."""
    return installed(wheel, tmp_path_factory.mktemp("sdk") / "venv")


@pytest.fixture(scope="module")
def terminal(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of ``pip install 'timegate[cli]'``."""
    return installed(wheel, tmp_path_factory.mktemp("terminal") / "venv", "--extra", "cli")


def test_the_wheel_has_no_package_of_the_server(wheel: Path) -> None:
    """Clients, workers, the command line, and the rules and contracts that it reads files by."""
    names = {Path(name).parts for name in zipfile.ZipFile(wheel).namelist()}

    assert {parts[1] for parts in names if parts[0] == "timegate"} == SHIPPED


def test_the_sdk_needs_httpx_alone(sdk: Path) -> None:
    """Client and worker import in an environment with nothing else."""
    code = (
        "import timegate, timegate.client, timegate.worker, timegate.testing, importlib.util as u;"
    )
    code += "print([n for n in ('httpx', 'typer', 'boto3', 'pydantic') if u.find_spec(n)])"

    assert run(sdk / "python", "-I", "-c", code).stdout == "['httpx']\n"


def test_a_missing_extra_is_named(sdk: Path) -> None:
    """The script exists without its packages; it ends with a sentence and no traceback."""
    for command in ([sdk / "timegate"], [sdk / "python", "-I", "-m", "timegate.cli"]):
        refused = run(*command, "--help", code=1)

        assert refused.stderr == "The command line needs typer: pip install 'timegate[cli]'\n"


def test_the_command_line_previews_and_simulates(terminal: Path, tmp_path: Path) -> None:
    """Neither needs a stage or the server's packages."""
    assert " schedule " in run(terminal / "timegate", "--help").stdout
    shown = run(terminal / "timegate", "schedule", "preview", "--cron", "0 9 * * 1-5", "--json")
    assert len(json.loads(shown.stdout)["fires"]) == 10
    example = ROOT / "docs" / "examples" / "last-friday.yaml"
    assert "2026" in run(terminal / "timegate", "simulate", "-f", example, "--json").stdout


def test_every_command_is_importable_from_the_wheel(terminal: Path) -> None:
    """A command that needs a package of the server fails here."""
    code = "from timegate.cli.entries import ENTRIES; from timegate.cli.terminal import"
    code += " lazy_commands; print([lazy_commands.loaded(each).name for each in ENTRIES].count(''))"

    assert run(terminal / "python", "-I", "-c", code).stdout == "0\n"
