"""The wheel leaves out packages of the server; nothing that it carries imports one."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.sources import ROOT, nodes_of

PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"


def left_out() -> set[str]:
    """Folders of the package that the build excludes, by name."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    return {Path(each).name for each in tool["hatch"]["build"]["targets"]["wheel"]["exclude"]}


def imports(path: Path) -> Iterator[str]:
    """Packages of Timegate that a module imports, at its top or within functions."""
    for node in nodes_of(path):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        yield from (name.split(".")[1] for name in names if name.startswith("timegate."))


def test_what_the_wheel_carries_imports_nothing_that_it_leaves_out() -> None:
    """A command that begins to need a package of the server needs it in the wheel."""
    shipped = [
        path
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in left_out()
    ]
    wrong = {str(path) for path in shipped if set(imports(path)) & left_out()}

    assert len(shipped) > 300
    assert left_out() == {"adapters", "contracts", "ports", "runtime", "usecases"}
    assert wrong == set()


def test_the_package_says_that_it_is_typed() -> None:
    """Type checkers read annotations of packages with the marker alone."""
    assert (PACKAGE / "py.typed").is_file()
