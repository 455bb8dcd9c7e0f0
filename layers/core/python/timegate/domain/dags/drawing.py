"""A DAG as a picture: what is drawn of it, and the languages that draw it."""

from collections.abc import Mapping
from types import MappingProxyType

from timegate.domain.dags.definition import (
    Dag,
    Edge,
    EdgeCondition,
    InlineTask,
    JobTask,
    Task,
    TriggerKind,
)
from timegate.domain.dags.edges import Graph
from timegate.domain.dags.waits import WaitTask
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Node:
    """A task in a picture."""

    key: TaskKey
    #: Text for people.
    title: str
    #: ``job``, the type of its action, or the kind of its wait.
    runs: str
    #: Below the title: its rule, where not all its edges must hold.
    rule: str
    is_fan_out: bool
    #: In a run; ``None``: a definition has none.
    state: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """Nodes and edges of a definition, or of a run of it."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def drawing_of(dag: Dag, states: Mapping[TaskKey, str] = MappingProxyType({})) -> Drawing:
    """A definition; with the states of its tasks, one of its runs."""
    incoming = Graph.of(dag.tasks, dag.edges).incoming
    return Drawing(
        name=dag.name,
        nodes=tuple(
            Node(
                key=task.key,
                title=task.name or task.key,
                runs=_what(task),
                rule=_rule(task, len(incoming[task.key])),
                is_fan_out=task.fan_out is not None,
                state=states.get(task.key),
            )
            for task in dag.tasks
        ),
        edges=dag.edges,
    )


def _what(task: Task) -> str:
    match task.spec:
        case JobTask():
            return "job"
        case InlineTask(action=action):
            return action.type
        case WaitTask(kind=kind):
            return kind.value


def _rule(task: Task, edges: int) -> str:
    rule = task.trigger_rule
    if rule.kind is TriggerKind.ALL or edges < 2:  # noqa: PLR2004 - of one there is no choice
        return ""
    return f"{rule.needed(edges)} of {edges}"


#: Fill and border.
_COLOURS = MappingProxyType(
    {
        "succeeded": ("#d9f2d9", "#2e7d32"),
        "failed": ("#f9d6d5", "#b71c1c"),
        "running": ("#d6e6fa", "#1565c0"),
        "skipped": ("#eeeeee", "#757575"),
        "cancelled": ("#fff1cc", "#b26a00"),
    }
)
_MERMAID_ARROWS = MappingProxyType(
    {
        EdgeCondition.ON_SUCCESS: "-->",
        EdgeCondition.ON_FAILURE: "-. on failure .->",
        EdgeCondition.ON_FINISHED: "== on finished ==>",
    }
)


def mermaid(drawing: Drawing) -> str:
    """Draw a Mermaid flowchart. Tasks are numbered: a key may be a word of the language."""
    numbers = {node.key: f"t{number}" for number, node in enumerate(drawing.nodes)}
    lines = ["flowchart LR"]
    lines += [f"    {numbers[node.key]}{_mermaid_box(node)}" for node in drawing.nodes]
    lines += [
        f"    {numbers[edge.source]} {_MERMAID_ARROWS[edge.condition]} {numbers[edge.target]}"
        for edge in drawing.edges
    ]
    shown = {node.state for node in drawing.nodes if node.state}
    for state in sorted(shown):
        own = ",".join(numbers[node.key] for node in drawing.nodes if node.state == state)
        fill, border = _COLOURS.get(state, ("#ffffff", "#333333"))
        lines += [
            f"    classDef {state} fill:{fill},stroke:{border}",
            f"    class {own} {state}",
        ]
    return "\n".join(lines) + "\n"


def _mermaid_box(node: Node) -> str:
    lines = [_mermaid_text(text) for text in (node.title, node.rule) if text]
    text = '"' + "<br/>".join(lines) + '"'
    if node.is_fan_out:
        return f"[[{text}]]"
    return f"([{text}])" if node.runs == "job" else f"[{text}]"


def _mermaid_text(text: str) -> str:
    """Write characters that mean something to Mermaid by their number."""
    return "".join(c if c.isalnum() or c in " _-." else f"#{ord(c)};" for c in text)


_DOT_STYLES = MappingProxyType(
    {
        EdgeCondition.ON_SUCCESS: "",
        EdgeCondition.ON_FAILURE: ' [style=dashed, label="on failure"]',
        EdgeCondition.ON_FINISHED: ' [style=bold, label="on finished"]',
    }
)


def dot(drawing: Drawing) -> str:
    """In the language of Graphviz."""
    lines = [f"digraph {_quoted(drawing.name)} {{", "    rankdir=LR;", "    node [shape=box];"]
    lines += [f"    {_quoted(node.key)} [{_dot_attributes(node)}];" for node in drawing.nodes]
    lines += [
        f"    {_quoted(edge.source)} -> {_quoted(edge.target)}{_DOT_STYLES[edge.condition]};"
        for edge in drawing.edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _dot_attributes(node: Node) -> str:
    label = _quoted("\n".join(text for text in (node.title, node.rule) if text))
    attributes = [f"label={label}"]
    if node.is_fan_out:
        attributes.append("peripheries=2")
    elif node.runs == "job":
        attributes.append("style=rounded")
    if node.state:
        fill, border = _COLOURS.get(node.state, ("#ffffff", "#333333"))
        attributes += ["style=filled", f'fillcolor="{fill}"', f'color="{border}"']
    return ", ".join(attributes)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
