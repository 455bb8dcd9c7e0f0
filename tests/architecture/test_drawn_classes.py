"""A module's docstring that draws a tree of classes draws them as they are."""

import ast
import importlib
import re
from pathlib import Path

import pytest

from tests.architecture.sources import ROOT, name_of, text_of, tree_of
from tests.architecture.test_shape import modules

#: A class, behind the branches that lead to it.
LINE = re.compile(r"([│├└─ ]*)([A-Z][A-Za-z]+)(?: {2}.*)?")
#: Folders that Python looks for modules in.
ROOTS = (ROOT / "layers" / "core" / "python", ROOT / "functions")


def docstring(path: Path) -> str:
    return ast.get_docstring(tree_of(path)) or ""


#: Each process that collects tests reads all modules, and parses those alone that draw.
DRAWN = [
    path
    for path in modules("layers/core", "functions")
    if "└──" in text_of(path) and "└──" in docstring(path)
]


def module_name(path: Path) -> str:
    root = next(each for each in ROOTS if path.is_relative_to(each))
    return ".".join(path.relative_to(root).with_suffix("").parts)


def bases_drawn(text: str) -> dict[str, str | None]:
    """Each class of a tree with the one above it."""
    found: dict[str, str | None] = {}
    above: list[str] = []
    for line in text.splitlines():
        if drawn := LINE.fullmatch(line):
            depth = len(drawn[1]) // 4
            assert drawn[2] not in found, f"{drawn[2]} is drawn twice"
            found[drawn[2]] = above[depth - 1] if depth else None
            above[depth:] = [drawn[2]]
    return found


def test_errors_are_drawn() -> None:
    """The tree that most others hang on is among those that are held."""
    assert "layers/core/python/timegate/domain/values/errors.py" in map(name_of, DRAWN)


@pytest.mark.parametrize("path", DRAWN, ids=name_of)
def test_a_tree_has_each_class_under_its_base(path: Path) -> None:
    name = module_name(path)
    package = vars(importlib.import_module(name.rpartition(".")[0]))
    own = vars(importlib.import_module(name))
    drawn = bases_drawn(docstring(path))
    errors = {each for each, kind in own.items() if _is_error_of(kind, name)}

    assert errors <= set(drawn)
    assert {
        each: base
        for each, base in drawn.items()
        if base is not None and base not in {b.__name__ for b in {**package, **own}[each].__bases__}
    } == {}


def _is_error_of(kind: object, module: str) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException) and kind.__module__ == module
