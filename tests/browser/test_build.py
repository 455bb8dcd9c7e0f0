"""The build of the console: the same bytes wherever it is built, and nothing beside them."""

import shutil
import subprocess
from pathlib import Path

from infra.local.console.site import DIST
from infra.local.deployment import ROOT
from tests.e2e.console.browser import dist_is_built

CONSOLE = ROOT / "console"
SOURCES = [
    *("index.html", "package.json", "public", "scripts", "src"),
    *("tsconfig.json", "vite.config.ts"),
]


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, by its path."""
    found = (each for each in folder.rglob("*") if each.is_file())
    return {str(each.relative_to(folder)): each.read_bytes() for each in found}


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build a copy of the sources in a folder; a copy that is there is kept."""
    for name in SOURCES:
        of = CONSOLE / name
        if not (folder / name).exists():
            (shutil.copytree if of.is_dir() else shutil.copy)(of, folder / name)
    (folder / "node_modules").symlink_to(CONSOLE / "node_modules")
    vite = CONSOLE / "node_modules" / ".bin" / "vite"
    command = [str(vite), "build", "--logLevel", "warn"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_a_build_elsewhere_gives_the_same_bytes(tmp_path: Path) -> None:
    """From a copy of the sources, with packages behind a link: no path of a machine is in it."""
    dist_is_built(DIST)
    assert build(tmp_path).returncode == 0
    built, again = files(DIST), files(tmp_path / "dist")

    assert sorted(built) == sorted(again)
    assert [name for name, text in built.items() if again[name] != text] == []
    assert not any(name.startswith(".") for name in built)


def test_a_build_that_fails_says_its_own_error(tmp_path: Path) -> None:
    """Names the file that cannot be read, and no list of chunks that was never written."""
    shutil.copytree(CONSOLE / "src", tmp_path / "src")
    (tmp_path / "src" / "main.tsx").write_text('import "./not_there";\n')

    failed = build(tmp_path)

    assert failed.returncode != 0
    assert "not_there" in failed.stderr
    assert "ENOENT" not in failed.stderr
