"""A DAG, or a run of it, as a picture: SVG that needs nothing else, in light and dark."""

from itertools import pairwise

from timegate.domain.dag_runs.pictures.graph_layout import (
    LINE,
    PADDING,
    Box,
    EdgeLine,
    Layout,
    Point,
    lay_out,
    texts_of,
)
from timegate.domain.dag_runs.pictures.legend import legend, line_entries, state_entries
from timegate.domain.dag_runs.pictures.svg import Look, PictureScheme, Sheet, svg_text
from timegate.domain.dag_runs.progress import TaskState
from timegate.domain.dags.definition import EdgeCondition
from timegate.domain.dags.drawing import Drawing, Node

_HEAD, _NARROWEST = 30, 480
_SAID = ' class="said"'
#: Blue, yellow and red differ in brightness as well: colour-blind people tell them apart.
LOOK = Look(
    always="text{font:12px ui-monospace,monospace}.name{font-weight:bold}.line{fill:none}"
    ".on_failure{stroke-dasharray:5 4}.on_finished{stroke-width:2.5}"
    ".failed rect,.timed_out rect,.dead_lettered rect{stroke-width:2.5}"
    ".timed_out rect{stroke-dasharray:8 2}.dead_lettered rect{stroke-width:4}"
    ".running rect{stroke-width:2}"
    ".skipped rect{stroke-dasharray:4 3}.cancelled rect{stroke-dasharray:1 3;stroke-width:2}",
    light="text{fill:#1b1f24}.sheet{fill:#fff}.task rect{fill:#f6f8fa;stroke:#57606a}"
    ".line{stroke:#57606a}.head{fill:#57606a}.succeeded rect{fill:#cfe3f7;stroke:#0072b2}"
    ".failed rect,.timed_out rect,.dead_lettered rect{fill:#f7d4c4;stroke:#b23c00}"
    ".running rect{fill:#fdf1bf;stroke:#9a7500}.said{fill:#57606a}",
    dark="text{fill:#e6edf3}.sheet{fill:#0d1117}.task rect{fill:#161b22;stroke:#8b949e}"
    ".line{stroke:#8b949e}.head{fill:#8b949e}.succeeded rect{fill:#0b3355;stroke:#56b4e9}"
    ".failed rect,.timed_out rect,.dead_lettered rect{fill:#5a2008;stroke:#ff9a6b}"
    ".running rect{fill:#4a3a00;stroke:#f0e442}.said{fill:#9aa4af}",
)
_ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"'
    ' markerUnits="userSpaceOnUse" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>'
    "</defs>"
)


def graph_svg(drawing: Drawing, scheme: PictureScheme = PictureScheme.AUTO) -> str:
    """Boxes in layers, each before those that wait for it; the state of each is in its title."""
    layout = lay_out(drawing)
    width = max(round(layout.width), _NARROWEST)
    entries = state_entries((node.state for node in drawing.nodes), [*TaskState])
    entries += line_entries((edge.condition for edge in drawing.edges), [*EdgeCondition])
    keys, height = legend(entries, top=_HEAD, width=width)
    lines = "".join(_line(each) for each in layout.lines)
    tasks = "".join(_task(node, layout.boxes[node.key]) for node in drawing.nodes)
    content = (
        f'{_ARROW}<text x="16" y="20" class="name">{svg_text(drawing.name)}</text>{keys}'
        f'<g transform="translate(0 {_HEAD + height:.0f})">{lines}{tasks}</g>'
    )
    sheet = Sheet(
        title=drawing.name,
        description=_described(drawing, layout),
        width=width,
        height=round(layout.height + _HEAD + height),
        content=content,
    )
    return sheet.svg(LOOK.sheet(scheme))


def _task(node: Node, box: Box) -> str:
    about = ", ".join(text for text in (node.title, node.runs, node.rule, node.state) if text)
    kind = f"task {node.state}" if node.state else "task"
    radius = 12 if node.runs == "job" else 3
    frame = _frame(box, radius)
    if node.is_fan_out:
        frame += _frame(box, radius, inset=3)
    texts = "".join(
        f'<text x="{box.left + PADDING:.1f}" y="{box.top + PADDING + LINE * number + 12:.1f}"'
        f"{_SAID if number else ''}>{svg_text(text)}</text>"
        for number, text in enumerate(texts_of(node))
    )
    return f'<g class="{kind}"><title>{svg_text(about)}</title>{frame}{texts}</g>'


def _frame(box: Box, radius: int, *, inset: int = 0) -> str:
    return (
        f'<rect x="{box.left + inset:.1f}" y="{box.top + inset:.1f}" rx="{radius}"'
        f' width="{box.width - 2 * inset:.1f}" height="{box.height - 2 * inset:.1f}"/>'
    )


def _line(line: EdgeLine) -> str:
    kind = "" if line.edge.condition is EdgeCondition.ON_SUCCESS else f" {line.edge.condition}"
    return f'<path class="line{kind}" d="{_path(line)}" marker-end="url(#arrow)"/>'


def _path(line: EdgeLine) -> str:
    first = line.points[0]
    parts = [f"M{first[0]:.1f} {first[1]:.1f}"]
    for one, other in pairwise(line.points):
        is_level = one[1] == other[1] or one[0] == other[0]
        parts.append(_straight(other) if is_level or line.is_below else _curve(one, other))
    return "".join(parts)


def _straight(to: Point) -> str:
    return f"L{to[0]:.1f} {to[1]:.1f}"


def _curve(one: Point, other: Point) -> str:
    """Lead from one side of the gap between two layers to the other, level at both."""
    half = (one[0] + other[0]) / 2
    return f"C{half:.1f} {one[1]:.1f} {half:.1f} {other[1]:.1f} {other[0]:.1f} {other[1]:.1f}"


def _described(drawing: Drawing, layout: Layout) -> str:
    tasks = "; ".join(f"{n.title}: {n.state}" if n.state else n.title for n in drawing.nodes)
    return f"{len(layout.boxes)} tasks, {len(layout.lines)} edges. {tasks}"
