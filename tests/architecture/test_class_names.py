"""A class name has one meaning in the whole code."""

import ast
from collections import defaultdict
from pathlib import Path

from tests.architecture.sources import name_of, nodes_of
from tests.architecture.test_shape import modules

#: Types of the description's schemas have the names of its resources.
GENERATED = "layers/core/python/timegate/client/schemas.py"
#: Modules that show a thing under the name that the domain gives it.
SHOWN = "_answers"
#: Errors that a program meets have the names of those that the API refused with.
ERRORS = {
    "layers/core/python/timegate/client/errors.py": (
        *("Conflict", "FieldProblem", "NotFound", "VersionMismatch"),
    ),
    "layers/core/python/timegate/worker/errors.py": ("LeaseLost",),
}


def definitions() -> dict[str, list[Path]]:
    """Public classes of the product, by name; each with the modules that define it."""
    found: dict[str, list[Path]] = defaultdict(list)
    for path in modules("layers/core", "functions"):
        if name_of(path) != GENERATED:
            for node in nodes_of(path):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path)
    return found


def means_the_same(name: str, path: Path) -> bool:
    """Return if a module defines the name for a thing that another module has by this name."""
    return path.stem.endswith(SHOWN) or name in ERRORS.get(name_of(path), ())


def test_a_class_name_has_one_meaning() -> None:
    """A reader who meets ``Refused`` in six modules reads six modules.

    A model of the API has its resource's name, and so has the class of the domain that it shows.
    Names with an underscore are known in their module alone.
    """
    several = {
        name: [name_of(path) for path in own]
        for name, paths in definitions().items()
        if len(own := [path for path in paths if not means_the_same(name, path)]) > 1
    }

    assert several == {}


def test_a_resource_is_shown_by_one_model() -> None:
    """Two models of one name would be two schemas."""
    shown = {
        name: [name_of(path) for path in paths if path.stem.endswith(SHOWN)]
        for name, paths in definitions().items()
    }

    assert sum(map(len, shown.values())) > 100
    assert {name: paths for name, paths in shown.items() if len(paths) > 1} == {}


def test_an_error_that_is_mirrored_is_defined_elsewhere() -> None:
    """An exception to the rule that nothing needs any more misleads."""
    found = definitions()
    mirrored = [name for names in ERRORS.values() for name in names]

    assert [name for name in mirrored if len(found[name]) != 2] == []
