"""Graphs as pictures: tasks apart, lines beside them, texts within, and nothing that runs."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from timegate.domain.dag_runs.pictures.graph_layout import (
    CHARACTER,
    PADDING,
    Box,
    Layout,
    Point,
    lay_out,
    texts_of,
)
from timegate.domain.dag_runs.pictures.graph_svg import LOOK, graph_svg
from timegate.domain.dag_runs.pictures.layer_places import BETWEEN
from timegate.domain.dag_runs.pictures.svg import PictureScheme
from timegate.domain.dag_runs.pictures.words import cells
from timegate.domain.dags.definition import Edge, EdgeCondition
from timegate.domain.dags.drawing import Drawing, Node
from timegate.domain.values.identity import TaskKey

LONG = "a title that is far too long for its box"
SVG = "{http://www.w3.org/2000/svg}"


def node(number: int, title: str = "", *, state: str | None = None, rule: str = "") -> Node:
    """A task."""
    key = TaskKey(f"t{number}")
    title = title or str(key)
    return Node(key=key, title=title, runs="webhook", rule=rule, is_fan_out=False, state=state)


def edge(source: int, target: int) -> Edge:
    """A line."""
    condition = list(EdgeCondition)[(source + target) % 3]
    return Edge(source=TaskKey(f"t{source}"), target=TaskKey(f"t{target}"), condition=condition)


@st.composite
def drawings(draw: st.DrawFn, tasks: int = 60) -> Drawing:
    """Any DAG of so many tasks, the titles of some wide or long."""
    count = draw(st.integers(1, tasks))
    pairs = draw(
        st.sets(
            st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(
                lambda pair: pair[0] < pair[1]
            ),
            max_size=3 * count,
        )
        if count > 1
        else st.just(set())
    )
    titles = st.sampled_from(
        ["", "load", "a title that is far too long for its box", "日次の集計を作る"]
    )
    nodes = tuple(node(n, draw(titles), rule="1 of 2" * (n % 2)) for n in range(count))
    return Drawing(name="any", nodes=nodes, edges=tuple(edge(*pair) for pair in sorted(pairs)))


def overlap(one: Box, other: Box) -> bool:
    """Return whether two boxes share a point."""
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.top + other.height
        and other.top < one.top + one.height
    )


def passes(one: Point, other: Point, box: Box) -> bool:
    """Return whether any point of a stretch, level or within a gap, lies in a box.

    A curve between two layers keeps to the rectangle of its ends.
    """
    left, right = sorted((one[0], other[0]))
    top, bottom = sorted((one[1], other[1]))
    across = left < box.left + box.width and box.left < right
    return across and top < box.top + box.height and box.top < bottom + 1e-9


def assert_legible(drawing: Drawing, layout: Layout) -> None:
    """All that a reader needs."""
    boxes = layout.boxes
    assert not any(overlap(*pair) for pair in combinations(boxes.values(), 2))
    for line in layout.lines:
        others = [
            box for key, box in boxes.items() if key not in {line.edge.source, line.edge.target}
        ]
        for one, other in pairwise(line.points):
            assert not any(passes(one, other, box) for box in others), line
        assert line.points[0][0] == boxes[line.edge.source].left + boxes[line.edge.source].width
        assert line.points[-1][0] == boxes[line.edge.target].left
    for each in drawing.nodes:
        widest = max(cells(text) for text in texts_of(each)) * CHARACTER
        assert widest + 2 * PADDING <= boxes[each.key].width + 1e-9
    assert all(box.left >= 0 and box.left + box.width <= layout.width for box in boxes.values())
    assert all(box.top >= 0 and box.top + box.height <= layout.height for box in boxes.values())


@given(drawing=drawings())
@settings(max_examples=60)
def test_sixty_tasks_are_legible(drawing: Drawing) -> None:
    """None overlap, no line runs through a task, each text fits its box."""
    assert_legible(drawing, lay_out(drawing))
    assert lay_out(drawing) == lay_out(drawing)


@pytest.mark.parametrize("reach", [pytest.param(4, marks=pytest.mark.wide), 250])
def test_the_largest_dag_is_drawn(reach: int) -> None:
    """500 tasks and 2,000 edges are drawn; edges beyond the passage budget run below all tasks."""
    pairs = [(n, min(499, n + 1 + k * (reach // 4))) for n in range(499) for k in range(4)]
    edges = tuple(edge(*pair) for pair in dict.fromkeys(pairs))
    drawing = Drawing(name="large", nodes=tuple(map(node, range(500))), edges=edges)
    layout = lay_out(drawing)

    assert_legible(drawing, layout)
    assert any(line.is_below for line in layout.lines)
    assert len(graph_svg(drawing)) < 1_000_000


def test_a_chain_is_a_straight_line() -> None:
    """Tasks of one way stand level."""
    edges = tuple(edge(n, n + 1) for n in range(5))
    layout = lay_out(Drawing(name="chain", nodes=tuple(map(node, range(6))), edges=edges))

    assert len({box.top for box in layout.boxes.values()}) == 1


HOSTILE = '</text><script>alert(1)</script>"&<!--\x00\ud800'


def test_names_are_text() -> None:
    """A hostile name runs nothing in a picture, which parses as XML."""
    nodes = (node(0, HOSTILE, state="failed", rule=HOSTILE), node(1, "b", state="succeeded"))
    drawn = graph_svg(Drawing(name=HOSTILE, nodes=nodes, edges=(edge(0, 1),)))
    root = ET.fromstring(drawn)

    assert root.find(f".//{SVG}script") is None
    assert "<script" not in drawn
    assert {name for each in root.iter() for name in each.attrib if name.startswith("on")} == set()
    assert "failed" in (root.findtext(f"{SVG}desc") or "")
    assert "style=" not in drawn


def test_states_are_coloured_and_counted() -> None:
    """A legend names those that there are; a definition has none."""
    nodes = tuple(
        node(number, state=state)
        for number, state in enumerate(["failed", "succeeded", "dead_lettered", "succeeded"])
    )
    lines = (edge(0, 1), edge(1, 2), edge(2, 3))
    drawn = Drawing(name="run", nodes=nodes, edges=lines)
    root = ET.fromstring(graph_svg(drawn))
    texts = [each.text for each in root.iter(f"{SVG}text")]
    bare = replace(drawn, nodes=tuple(replace(each, state=None) for each in nodes))

    assert texts[:5] == ["run", "succeeded 2", "failed 1", "dead lettered 1", "on success"]
    assert [each.get("class") for each in root.iter(f"{SVG}g")][-4:] == [
        f"task {each.state}" for each in nodes
    ]
    assert "succeeded 2" not in graph_svg(bare)
    assert all(f".{state} rect" in LOOK.sheet(PictureScheme.LIGHT) for state in ENDS)


#: Each is drawn as no other is.
ENDS = ["succeeded", "failed", "timed_out", "dead_lettered", "running"]


@pytest.mark.parametrize(
    ("scheme", "sheets", "asks"),
    [
        (PictureScheme.AUTO, {"#fff", "#0d1117"}, True),
        (PictureScheme.LIGHT, {"#fff"}, False),
        (PictureScheme.DARK, {"#0d1117"}, False),
    ],
)
def test_a_scheme_has_its_sheet(scheme: PictureScheme, sheets: set[str], asks: bool) -> None:
    """Light, dark, or both and the reader's system decides; the sheet depends on nothing else."""
    drawn = graph_svg(Drawing(name="one", nodes=(node(0),), edges=()), scheme)

    assert set(re.findall(r"\.sheet{fill:(#\w+)}", drawn)) == sheets
    assert ("prefers-color-scheme" in drawn) == asks
    assert ET.fromstring(drawn).findtext(f"{SVG}style") == LOOK.sheet(scheme)


def test_chains_apart_stand_below_each_other() -> None:
    """No band of the picture is empty."""
    pairs = [(0, 4), (1, 4), (2, 4), (3, 4), (5, 6), (6, 7)]
    layout = lay_out(
        Drawing(
            name="apart", nodes=tuple(map(node, range(8))), edges=tuple(edge(*p) for p in pairs)
        )
    )
    bands = sorted((box.top, box.top + box.height) for box in layout.boxes.values())

    assert all(
        top - max(end for _, end in bands[:number]) <= BETWEEN + 1e-9
        for number, (top, _) in enumerate(bands)
        if number
    )


def test_a_task_stands_next_to_what_waits_for_it() -> None:
    """A late task is drawn beside its successor if that shortens lines."""
    pairs = [(0, 1), (1, 2), (2, 3), (4, 3)]
    edges = tuple(edge(*pair) for pair in pairs)
    layout = lay_out(Drawing(name="late", nodes=tuple(map(node, range(5))), edges=edges))
    boxes = layout.boxes

    assert boxes[TaskKey("t4")].left == boxes[TaskKey("t2")].left
