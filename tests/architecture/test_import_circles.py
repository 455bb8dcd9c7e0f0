"""Modules import one another in one direction, lazily or not."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

FUNCTIONS = Path(__file__).resolve().parents[2] / "functions"
PACKAGES = (
    "timegate",
    "infra",
    "bench",
    *sorted(each.parent.name for each in FUNCTIONS.glob("*/__init__.py")),
)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_module_imports_itself_by_others(package: str) -> None:
    """Nor where an import stands in a function: a circle has no module to read first."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=True)
    imports = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}

    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        pytest.fail(" -> ".join(found.args[1]))
