"""The wheel: built, installed into an empty environment, and used there."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
UV = (sys.executable, "-m", "uv")
#: The rules that the command line previews and simulates with are the domain's.
SHIPPED = {
    *("__init__.py", "py.typed", "pytest_plugin.py"),
    *("cli", "client", "contracts", "domain", "testing", "worker"),
}

#: What a shell has that knows nothing of this checkout.
OUTSIDE = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("PYTHON", "VIRTUAL_ENV", "COV"))
}


def run(
    *command: str | Path, code: int = 0, environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command outside of the checkout; fails with what it printed."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=Path(sys.prefix).anchor,
        env={**OUTSIDE, **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, built by the backend that the lock file pins."""
    into = tmp_path_factory.mktemp("dist")
    run(*UV, "build", ROOT, "--wheel", "--offline", "--no-build-isolation", "--out-dir", into)
    (built,) = into.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def sdk(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of ``pip install timegate``."""
    return installed(wheel, tmp_path_factory.mktemp("sdk") / "venv")


@pytest.fixture(scope="module")
def terminal(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment of ``pip install 'timegate[cli]'``."""
    return installed(wheel, tmp_path_factory.mktemp("terminal") / "venv", "--extra", "cli")


def installed(wheel: Path, into: Path, *extras: str) -> Path:
    """Install the wheel into an empty environment, beside the locked versions of what it needs."""
    run(*UV, "venv", "--quiet", "--offline", "--python", sys.executable, into)
    python = into / "bin" / "python"
    (packages,) = (into / "lib").glob("python*/site-packages")
    for name in locked(*extras):
        copy_package(name, packages)
    run(*UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, wheel)
    # Compares the wheel's own ranges with what is there.
    run(*UV, "pip", "check", "--python", python)
    return into / "bin"


def locked(*extras: str) -> list[str]:
    """Names of the packages that the lock file has for the SDK, or for it with an extra."""
    export = "--frozen --offline --no-default-groups --no-emit-project --no-hashes"
    plain = ("--no-annotate", "--no-header")
    listed = run(*UV, "export", "--quiet", "--project", ROOT, *export.split(), *plain, *extras)
    wanted = [Requirement(line) for line in listed.stdout.splitlines()]
    return [each.name for each in wanted if each.marker is None or each.marker.evaluate()]


def copy_package(name: str, packages: Path) -> None:
    """Copy a package of this environment: no index and no cache is asked for it."""
    for file in distribution(name).files or ():
        source = Path(str(file.locate()))
        if ".." not in file.parts and source.is_file():
            (packages / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, packages / file)


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
