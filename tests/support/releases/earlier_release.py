"""The local stage of an earlier release, synthesised from the history of this checkout."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from infra.local.deployment import CDK, ROOT

#: The release before this one. It is named again where a release is made: commits between two
#: releases were never deployed, and some of them cannot be.
RELEASE_BEFORE = "60e98ae261b1"
#: The variable that names another commit.
VARIABLE = "TIMEGATE_UPGRADE_FROM"
#: The reason why a test cannot be, where a history is cut off before that commit.
NOT_IN_HISTORY = (
    f"The history of this checkout lacks {RELEASE_BEFORE}, the release before: its code reads no"
    " item of this release, and upgrades begin with this release's own code, all of it changed."
    " `git fetch --unshallow` brings it."
)
#: Sources of a checkout that synthesise a stage, and read and write its items.
_SOURCES = (
    *("app.py", "cdk.json", "functions", "infra", "layers", "timegate_cdk"),
    *("docs/reference/openapi.json", "pyproject.toml", "tests", "uv.lock"),
)
#: Packages of this checkout, and layers of packages, which both releases lock alike or build anew.
_BORROWED = (".venv", "node_modules", "build/vendor")
#: A module that each function loads, for a release that differs in nothing else.
_LOOK_AHEAD = re.compile(r'("LOOK_AHEAD_SECONDS": )"\d+"')
_MARKED = "layers/core/python/timegate/__init__.py"


def commit_before() -> str | None:
    """The commit of the earlier release; ``None``: this checkout has no history so long."""
    commit = os.environ.get(VARIABLE) or RELEASE_BEFORE
    is_known = _git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0
    if not is_known and VARIABLE in os.environ:
        message = f"{VARIABLE} names {commit}, which this checkout does not have."
        raise LookupError(message)
    return commit if is_known else None


def earlier_text(path: str) -> str | None:
    """A file of the release before; ``None``: this checkout has no history so long."""
    commit = commit_before()
    if commit is None:
        return None
    shown = _git("show", f"{commit}:{path}")
    assert shown.returncode == 0, shown.stderr
    return shown.stdout.decode()


def synthesise_release(commit: str | None, folder: Path) -> Path:
    """The assembly of a commit's local stage; ``None``: of this code, all of it changed."""
    lay_out(commit, folder)
    for name in _BORROWED:
        (ROOT / name).mkdir(parents=True, exist_ok=True)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).symlink_to(ROOT / name)
    assembly = folder / "cdk.out"
    kept = {name: text for name, text in os.environ.items() if not name.startswith("AWS_")}
    words = ["synth", "--quiet", "-c", "stage=local", "--output", str(assembly)]
    done = subprocess.run(
        [str(CDK), *words],
        cwd=folder,
        # Its own modules come before those that are installed.
        env={**kept, "PYTHONPATH": str(folder / "layers" / "core" / "python"), "CI": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return assembly


def looking_ahead(assembly: Path, into: Path, seconds: int) -> Path:
    """Copy an assembly whose planners look so far ahead: that is no choice of a deployment."""
    shutil.copytree(assembly, into, symlinks=True)
    changed = 0
    for template in into.glob("*.template.json"):
        written = template.read_text()
        replaced = _LOOK_AHEAD.sub(rf'\g<1>"{seconds}"', written)
        changed += replaced != written
        template.write_text(replaced)
    assert changed, "No template names how far planners look ahead."
    return into


def lay_out(commit: str | None, folder: Path) -> None:
    """Write the sources of a commit into a new folder; ``None``: of this code, marked."""
    folder.mkdir()
    if commit is not None:
        archive = _git("archive", commit, *_SOURCES)
        assert archive.returncode == 0, archive.stderr
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        return
    for name in _SOURCES:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    with (folder / _MARKED).open("a") as module:
        module.write("\n# The release before.\n")


def _git(*words: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)
