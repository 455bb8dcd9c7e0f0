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


def test_a_build_elsewhere_gives_the_same_bytes(tmp_path: Path) -> None:
    """From a copy of the sources, with packages behind a link: no path of a machine is in it."""
    dist_is_built(DIST)
    for name in SOURCES:
        of = CONSOLE / name
        (shutil.copytree if of.is_dir() else shutil.copy)(of, tmp_path / name)
    (tmp_path / "node_modules").symlink_to(CONSOLE / "node_modules")
    vite = CONSOLE / "node_modules" / ".bin" / "vite"
    subprocess.run([vite, "build", "--logLevel", "warn"], cwd=tmp_path, check=True)
    built, again = files(DIST), files(tmp_path / "dist")

    assert sorted(built) == sorted(again)
    assert [name for name, text in built.items() if again[name] != text] == []
    assert not any(name.startswith(".") for name in built)
