"""The walks through the code name files as they are."""

import ast
import re
from pathlib import Path

from tests.architecture.sources import ROOT, nodes_of

PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"
PAGE = (ROOT / "docs" / "design" / "walks.md").read_text()
#: Path and name of each step.
STEPS = re.findall(r"^\| `([\w/]+\.py)` \| `(\w+)` \| \S.+ \|$", PAGE, re.MULTILINE)


def file_of(path: str) -> Path:
    """The file that a step names."""
    return (ROOT if path.startswith("functions/") else PACKAGE) / path


def defined(path: Path) -> set[str]:
    """Functions, classes and methods of a module."""
    return {
        node.name for node in nodes_of(path) if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def test_every_row_of_a_walk_is_a_step() -> None:
    """A row that the test cannot read is a file that it does not hold."""
    rows = [row for row in PAGE.splitlines() if row.startswith("| ") and "| in it |" not in row]

    assert len(rows) == len(STEPS) > 50


def test_a_step_names_a_file_and_a_definition_in_it() -> None:
    """A walk whose files have moved leads astray."""
    astray = [
        (path, name)
        for path, name in STEPS
        if not file_of(path).is_file() or name not in defined(file_of(path))
    ]

    assert astray == []


def test_a_walk_passes_a_file_once() -> None:
    """A file that a walk comes back to holds two ideas."""
    paths = [path for path, _ in STEPS]

    assert sorted(set(paths)) == sorted(paths)
