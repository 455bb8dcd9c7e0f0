"""Wheels of this checkout: built offline, and installed into environments with nothing else."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
UV = (sys.executable, "-m", "uv")
#: Environment of a shell that knows nothing of this checkout.
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


def built(project: Path, into: Path) -> Path:
    """Build a project's wheel by the backend that the lock file pins."""
    run(*UV, "build", project, "--wheel", "--offline", "--no-build-isolation", "--out-dir", into)
    (wheel,) = into.glob("*.whl")
    return wheel


def installed(wheel: Path, into: Path, *extras: str) -> Path:
    """Install the wheel into an empty environment, beside the locked versions of what it needs."""
    packages = empty_environment(into)
    for name in locked(*extras):
        copy_package(name, packages)
    return installed_beside(into, wheel)


def empty_environment(into: Path) -> Path:
    """Make an environment; the folder of its packages."""
    run(*UV, "venv", "--quiet", "--offline", "--python", sys.executable, into)
    (packages,) = (into / "lib").glob("python*/site-packages")
    return packages


def installed_beside(into: Path, *wheels: Path) -> Path:
    """Install wheels beside the packages that an environment has; the folder of its programs."""
    python = into / "bin" / "python"
    run(*UV, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, *wheels)
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


def required(*names: str) -> set[str]:
    """Names of packages, and of all that they require."""
    found: set[str] = set()
    asked = [*names]
    while asked:
        name = asked.pop()
        if name not in found:
            found.add(name)
            listed = [Requirement(each) for each in distribution(name).requires or ()]
            asked += [
                each.name
                for each in listed
                if each.marker is None or each.marker.evaluate({"extra": ""})
            ]
    return found


def link_package(name: str, packages: Path) -> None:
    """Have a package of this environment in another one too: a copy of the CDK takes long."""
    for file in distribution(name).files or ():
        top = file.parts[0]
        source = Path(str(file.locate())).parents[len(file.parts) - 1] / top
        if top in {"..", "__pycache__"} or (packages / top).exists():
            continue
        if top.endswith(".dist-info"):
            # uv looks into no link.
            shutil.copytree(source, packages / top)
        else:
            (packages / top).symlink_to(source)
