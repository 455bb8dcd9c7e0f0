"""The wheel leaves out packages of the server; nothing that it carries imports one."""

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.architecture.sources import ROOT, nodes_of

PACKAGE = ROOT / "layers" / "core" / "python" / "timegate"


@cache
def left_out() -> frozenset[str]:
    """Packages and modules of Timegate that the build excludes: ``contracts.pools``."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    paths = tool["hatch"]["build"]["targets"]["wheel"]["exclude"]
    return frozenset(dotted((ROOT / each).relative_to(PACKAGE)) for each in paths)


def dotted(path: Path) -> str:
    """Name a module or package below the package."""
    return ".".join(path.with_suffix("").parts)


def is_left_out(name: str) -> bool:
    """Tell if a module is excluded, or is in a package that is."""
    return any(name == each or name.startswith(f"{each}.") for each in left_out())


def imports(path: Path) -> Iterator[str]:
    """Modules of Timegate that a module imports, at its top or within functions."""
    for node in nodes_of(path):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{each.name}" for each in node.names)]
        elif isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        yield from (name.removeprefix("timegate.") for name in names if "timegate." in name)


def test_what_the_wheel_carries_imports_nothing_that_it_leaves_out() -> None:
    """A command that begins to need a package of the server needs it in the wheel."""
    shipped = [
        path for path in PACKAGE.rglob("*.py") if not is_left_out(dotted(path.relative_to(PACKAGE)))
    ]
    wrong = {str(path) for path in shipped if any(map(is_left_out, imports(path)))}
    whole = {each for each in left_out() if "." not in each}

    assert len(shipped) > 300
    assert whole == {"adapters", "kept_threads", "ports", "runtime", "usecases"}
    assert wrong == set()


def test_the_package_says_that_it_is_typed() -> None:
    """Type checkers read annotations of packages with the marker alone."""
    assert (PACKAGE / "py.typed").is_file()
