"""Count the crossings of our pictures of DAGs beside those of Graphviz and ELK, as one JSON object.

python -m bench.graph_layouts bench/results/graph_layouts.json

Graphviz is the program ``dot`` of the machine, ELK the package of the console. All get the same
boxes, whose lines leave at the middle of the right and arrive at the middle of the left.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import dist
from pathlib import Path
from time import process_time
from typing import Any

from tests.support.dag_runs.crossings import Polyline, crossings, curve, drawn_lines
from tests.support.dag_runs.pipelines import FIVE_HUNDRED, SIXTY
from timegate.domain.dag_runs.pictures.graph_layout import GAP, lay_out, size_of
from timegate.domain.dag_runs.pictures.layer_places import BETWEEN
from timegate.domain.dags.drawing import Drawing

_CONSOLE = Path(__file__).resolve().parents[1] / "console"
_ELK = (
    "const Elk = require('elkjs'); let text = ''; process.stdin.on('data', d => text += d)"
    ".on('end', () => new Elk().layout(JSON.parse(text)).then(g => console.log(JSON.stringify(g))))"
)
Placed = tuple[Sequence[Polyline], float, float]


def own(drawing: Drawing) -> Placed:
    """Our own layout."""
    layout = lay_out(drawing)
    return drawn_lines(layout), layout.width, layout.height


def graphviz(drawing: Drawing) -> Placed:
    """``dot``, whose points are pixels."""
    lines = ["digraph {", 'rankdir=LR; node [shape=box, fixedsize=true, label=""];']
    lines.append(f"nodesep={BETWEEN / 72:.3f}; ranksep={GAP / 72:.3f};")
    for node in drawing.nodes:
        width, height = size_of(node)
        lines.append(f"{node.key} [width={width / 72:.3f}, height={height / 72:.3f}];")
    ports = "arrowhead=none, tailport=e, headport=w"
    lines += [f"{edge.source} -> {edge.target} [{ports}];" for edge in drawing.edges]
    placed = _run(["dot", "-Tjson"], "\n".join([*lines, "}"]))
    _, _, width, height = map(float, placed["bb"].split(","))
    return [_spline(edge["pos"]) for edge in placed["edges"]], width, height


def _spline(text: str) -> Polyline:
    numbers = [each for each in text.split(" ") if each[0] not in "se"]
    points: list[tuple[float, float]] = []
    for each in numbers:
        x, y = map(float, each.split(","))
        points.append((x, y))
    found = [points[0]]
    for at in range(0, len(points) - 3, 3):
        found += curve(*points[at : at + 4])
    return found


def elk(drawing: Drawing) -> Placed:
    """ELK's layers, as the console draws them, with corners in place of curves."""
    boxes = []
    for node in drawing.nodes:
        width, height = size_of(node)
        ports = [
            {"id": f"{node.key}{side}", "x": x, "y": height / 2, "width": 0, "height": 0}
            for side, x in (("i", 0.0), ("o", width))
        ]
        fixed = {"elk.portConstraints": "FIXED_POS"}
        boxes.append(
            {
                "id": node.key,
                "width": width,
                "height": height,
                "layoutOptions": fixed,
                "ports": ports,
            }
        )
    graph = {
        "id": "all",
        "layoutOptions": {
            "elk.algorithm": "layered",
            "elk.direction": "RIGHT",
            "elk.edgeRouting": "POLYLINE",
            "elk.layered.spacing.nodeNodeBetweenLayers": str(GAP),
            "elk.spacing.nodeNode": str(BETWEEN),
        },
        "children": boxes,
        "edges": [
            {"id": str(n), "sources": [f"{each.source}o"], "targets": [f"{each.target}i"]}
            for n, each in enumerate(drawing.edges)
        ],
    }
    placed = _run(["node", "-e", _ELK], json.dumps(graph))
    return [_corners(e["sections"][0]) for e in placed["edges"]], placed["width"], placed["height"]


def _corners(section: dict[str, Any]) -> Polyline:
    points = [section["startPoint"], *section.get("bendPoints", []), section["endPoint"]]
    return [(each["x"], each["y"]) for each in points]


def _run(command: list[str], text: str) -> dict[str, Any]:
    done = subprocess.run(  # noqa: S603 - of this machine, with what we made
        command, input=text, text=True, capture_output=True, check=True, cwd=_CONSOLE
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


WAYS: dict[str, Callable[[Drawing], Placed]] = {"own": own, "graphviz": graphviz, "elk": elk}


def measured(drawing: Drawing) -> dict[str, Any]:
    """Crossings, thousands of pixels of lines, and millions of pixels of sheet, of each way."""
    found: dict[str, Any] = {"tasks": len(drawing.nodes), "lines": len(drawing.edges)}
    for name, way in WAYS.items():
        began = process_time()
        lines, width, height = way(drawing)
        took = process_time() - began
        found[name] = {
            "crossings": crossings(lines),
            "length": round(sum(dist(*pair) for line in lines for pair in pairwise(line)) / 1000),
            "sheet": round(width * height / 1_000_000, 1),
        }
        if name == "own":
            found[name]["seconds"] = round(took, 2)
    return found


if __name__ == "__main__":
    results = {drawing.name: measured(drawing) for drawing in (*SIXTY, *FIVE_HUNDRED)}
    Path(sys.argv[1]).write_text(f"{json.dumps(results, indent=2)}\n")
