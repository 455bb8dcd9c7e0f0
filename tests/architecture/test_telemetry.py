"""The register of telemetry holds exactly what functions emit."""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import grimp

from api.http.places import PLACES
from tests.architecture.sources import ROOT, nodes_of
from timegate.ports.telemetry import run_events, run_metrics, service_events, service_metrics
from timegate.ports.telemetry.telemetry import (
    EXECUTOR,
    FUNCTIONS,
    Definition,
    DurationMetric,
    LogEvent,
    of_dag_run,
    of_message,
    of_run,
)

LAYER = ROOT / "layers" / "core" / "python"
REGISTER = (run_metrics, service_metrics, run_events, service_events)
NAMES = {module.__name__.rpartition(".")[2] for module in REGISTER}
EMITTING = {"count", "measure", "event"}


def defined() -> dict[str, Definition]:
    """Each definition by ``module.CONSTANT``, as emitting code writes it."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{constant}": value
        for module in REGISTER
        for constant, value in vars(module).items()
        if isinstance(value, Definition)
    }


@cache
def sources() -> dict[str, tuple[ast.AST, ...]]:
    """Nodes of each module of layers and functions that may emit."""
    files = [(path, LAYER) for path in (LAYER / "timegate").rglob("*.py")]
    files += [(path, ROOT / "functions") for path in (ROOT / "functions").rglob("*.py")]
    parsed = {
        ".".join(path.relative_to(base).with_suffix("").parts): nodes_of(path)
        for path, base in files
    }
    return {name: nodes for name, nodes in parsed.items() if ".ports.telemetry." not in name}


def mentions(nodes: Iterable[ast.AST]) -> set[str]:
    """The definitions that a module names."""
    return {
        f"{node.value.id}.{node.attr}"
        for node in nodes
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in NAMES
    }


def literal_emissions(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Calls of a telemetry that write a name as text."""
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if node.func.attr not in EMITTING or not node.args:
            continue
        if ast.unparse(node.func.value).lower().endswith("telemetry"):
            inside = ast.walk(node.args[0])
            if any(isinstance(each, ast.Constant | ast.JoinedStr) for each in inside):
                yield ast.unparse(node)


def constructions(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Definitions made outside the register."""
    kinds = {"Count", "Duration", "Event", "Metric", "Definition"}
    imported = {
        alias.asname or alias.name
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "timegate.ports.telemetry.telemetry"
        for alias in node.names
        if alias.name in kinds
    }
    for node in nodes:
        if imported and isinstance(node, ast.Call) and ast.unparse(node.func) in imported:
            yield ast.unparse(node)


def test_code_emits_registered_names_only() -> None:
    """A name as text, or a definition outside the register, is emitted and not listed."""
    unlisted = {
        name: found
        for name, nodes in sources().items()
        if (found := [*literal_emissions(nodes), *constructions(nodes)])
    }

    assert unlisted == {}


def test_each_registered_name_is_emitted() -> None:
    """A definition that no module names is listed and never emitted."""
    named = set().union(*(mentions(nodes) for nodes in sources().values()))

    assert set(defined()) - named == set()


def test_a_name_is_registered_once() -> None:
    """Metrics and events have one definition each, under the constant of their name."""
    every = list(defined().items())
    names = [str(value) for _, value in every]

    assert len(set(names)) == len(names)
    assert {
        where
        for where, value in every
        if where.partition(".")[2].replace("_", "").lower() != value.replace("_", "").lower()
    } == set()


def test_names_follow_their_kind() -> None:
    """Events are snake_case; metrics are CamelCase; durations alone end with their unit."""
    for value in defined().values():
        if isinstance(value, LogEvent):
            assert re.fullmatch(r"[a-z]+(_[a-z]+)*", value)
        else:
            assert re.fullmatch(r"([A-Z][a-z]+)+", value)
            assert value.endswith("Ms") == (isinstance(value, DurationMetric)), value


def test_a_meaning_is_one_sentence() -> None:
    """Operators read the meaning of a name in a table."""
    wrong = {
        value
        for value in defined().values()
        if not re.fullmatch(r"[A-Z][^.|]*\.", value.meaning) or len(value.meaning) > 100
    }

    assert wrong == set()


def test_each_emitter_imports_an_emitting_module() -> None:
    """A listed function reaches the code that emits, and each emitting module has one of them."""
    reached = imports_of_functions()
    emitting: dict[str, set[str]] = {}
    for name, nodes in sources().items():
        for where in mentions(nodes):
            emitting.setdefault(where, set()).add(name)
    wrong = {}
    for where, value in defined().items():
        modules = emitting[where] - {"timegate.usecases.limits.tallied_ends"} or emitting[where]
        idle = {by for by in value.by if not reached[by] & modules}
        foreign = {each for each in modules if not any(each in reached[by] for by in value.by)}
        if idle or foreign or not value.by or len(set(value.by)) < len(value.by):
            wrong[where] = (value.by, idle, foreign)

    assert wrong == {}


def imports_of_functions() -> dict[str, set[str]]:
    """Each function's modules, by what its handler imports, and the API's with requests."""
    graph = grimp.build_graph("timegate", *FUNCTIONS, cache_dir=None)
    imported = {by: [f"{by}.handler"] for by in FUNCTIONS}
    imported["api"] += [f"api.{name}" for name in PLACES]
    return {
        by: set().union(*(graph.find_upstream_modules(each) | {each} for each in begun))
        for by, begun in imported.items()
    }


def test_each_function_is_listed() -> None:
    """A function has one name: of its folder, deployed, and in the register."""
    handlers = {path.parent.name for path in (ROOT / "functions").glob("*/handler.py")}

    assert set(FUNCTIONS) == handlers
    assert EXECUTOR in FUNCTIONS


#: Lines about a record that cannot be read.
WITHOUT_RECORD = {"service_events.DAG_RUN_UNREADABLE"}


def test_a_line_about_a_run_names_its_trace() -> None:
    """By ``of_run`` and its like: a line that writes its ids itself could forget the trace."""
    bare = {
        ast.unparse(call.args[0])
        for nodes in sources().values()
        for call in nodes
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "event"
        and {each.arg for each in call.keywords} & {"attempt_id", "dag_run_id"}
        and not any(named(each.value) for each in call.keywords if each.arg is None)
    }

    assert bare == WITHOUT_RECORD


def named(value: ast.expr) -> bool:
    """Tell if fields come from the record of a run or a DAG run."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id in {each.__name__ for each in (of_run, of_dag_run, of_message)}
    )
