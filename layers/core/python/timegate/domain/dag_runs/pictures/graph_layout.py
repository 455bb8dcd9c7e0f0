"""Places of tasks and lines of a picture, in layers from left to right.

A long line has a place of its own in each layer that it passes, so it never runs through a task.
Lines beyond a budget of such places run below all tasks.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from itertools import pairwise
from math import fsum
from typing import TypeAlias

from timegate.domain.dag_runs.pictures.layer_order import Slot, order_layers
from timegate.domain.dag_runs.pictures.layer_places import MARGIN, tops_of
from timegate.domain.dag_runs.pictures.words import cells, cut
from timegate.domain.dags.definition import Edge
from timegate.domain.dags.drawing import Drawing, Node
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass

#: Sizes, in pixels. A character of 12 px is no wider than this.
CHARACTER, LINE, PADDING = 7.8, 16, 10
GAP = 64
#: Height of the place of a line that passes a layer.
_PASSAGE = 8
#: So many places of lines are laid out; all layers are ordered again and again.
MOST_PASSAGES = 1_000
#: Text of a task that is drawn.
MOST_CHARACTERS = 28
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """The place of a task."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True, kw_only=True, slots=True)
class EdgeLine:
    """An edge, from the right of one task to the left of another."""

    edge: Edge
    points: tuple[Point, ...]
    #: Points are corners; else a curve leads through them.
    is_below: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """A picture whose parts have places."""

    boxes: Mapping[TaskKey, Box]
    lines: tuple[EdgeLine, ...]
    width: float
    height: float


def texts_of(node: Node) -> list[str]:
    """Return the lines of text in the box of a task, cut to what fits."""
    return [cut(text, MOST_CHARACTERS) for text in (node.title, node.rule) if text]


def lay_out(drawing: Drawing) -> Layout:
    """Give each task and each line its place; the same drawing has the same places."""
    depths = _depths(drawing)
    routed = _routed(drawing.edges, depths)
    layers, links = _layers(drawing, depths, routed)
    order_layers(layers, links)
    sizes = {node.key: size_of(node) for node in drawing.nodes}
    heights = [{slot: _height(slot, sizes) for slot in layer} for layer in layers]
    tops = tops_of(layers, links, heights)
    return _placed(drawing, depths, routed, layers, sizes, tops)


def _depths(drawing: Drawing) -> dict[TaskKey, int]:
    before: dict[TaskKey, list[TaskKey]] = {node.key: [] for node in drawing.nodes}
    for edge in drawing.edges:
        before[edge.target].append(edge.source)
    found: dict[TaskKey, int] = {}
    order = [*TopologicalSorter(before).static_order()]
    for key in order:
        found[key] = max((found[each] + 1 for each in before[key]), default=0)
    _shorten(drawing, found, order)
    return found


def _shorten(drawing: Drawing, depths: dict[TaskKey, int], order: Sequence[TaskKey]) -> None:
    """Move tasks right, up to those that wait for them, where that shortens lines together."""
    behind: dict[TaskKey, list[TaskKey]] = {node.key: [] for node in drawing.nodes}
    before: Counter[TaskKey] = Counter()
    for edge in drawing.edges:
        behind[edge.source].append(edge.target)
        before[edge.target] += 1
    for key in reversed(order):
        if len(behind[key]) > before[key]:
            depths[key] = min(depths[each] for each in behind[key]) - 1


def _routed(edges: Sequence[Edge], depths: Mapping[TaskKey, int]) -> set[int]:
    """Return the edges that get places in the layers that they pass, the shortest first."""
    spans = sorted((depths[e.target] - depths[e.source] - 1, n) for n, e in enumerate(edges))
    routed, used = set(), 0
    for span, number in spans:
        used += span
        if used > MOST_PASSAGES:
            break
        routed.add(number)
    return routed


def _layers(
    drawing: Drawing, depths: Mapping[TaskKey, int], routed: set[int]
) -> tuple[list[list[Slot]], dict[Slot, list[Slot]]]:
    """Return the slots of each layer, and those that a slot is joined to on either side."""
    layers: list[list[Slot]] = [[] for _ in range(max(depths.values(), default=0) + 1)]
    for node in drawing.nodes:
        layers[depths[node.key]].append(node.key)
    links: dict[Slot, list[Slot]] = {}
    for number, edge in enumerate(drawing.edges):
        if number not in routed:
            continue
        passed = range(depths[edge.source] + 1, depths[edge.target])
        chain: list[Slot] = [edge.source, *((number, depth) for depth in passed), edge.target]
        for depth in passed:
            layers[depth].append((number, depth))
        for one, other in pairwise(chain):
            links.setdefault(one, []).append(other)
            links.setdefault(other, []).append(one)
    return layers, links


def size_of(node: Node) -> tuple[float, float]:
    """Return width and height of the box of a task."""
    texts = texts_of(node)
    width = max(cells(text) for text in texts) * CHARACTER + 2 * PADDING
    return max(width, 60.0), len(texts) * LINE + 2 * PADDING


def _height(slot: Slot, sizes: Mapping[TaskKey, tuple[float, float]]) -> float:
    return _PASSAGE if isinstance(slot, tuple) else sizes[slot][1]


def _placed(
    drawing: Drawing,
    depths: Mapping[TaskKey, int],
    routed: set[int],
    layers: Sequence[Sequence[Slot]],
    sizes: Mapping[TaskKey, tuple[float, float]],
    tops: Mapping[Slot, float],
) -> Layout:
    widths = [
        max((sizes[slot][0] for slot in layer if not isinstance(slot, tuple)), default=0.0)
        for layer in layers
    ]
    lefts = [MARGIN + fsum(widths[:number]) + GAP * number for number in range(len(widths))]
    boxes = {
        key: Box(left=lefts[depth], top=tops[key], width=widths[depth], height=sizes[key][1])
        for key, depth in depths.items()
    }
    bottom = max((box.top + box.height for box in boxes.values()), default=0.0)
    bottom = max([bottom, *(tops[slot] + _PASSAGE for slot in tops if isinstance(slot, tuple))])
    lines: list[EdgeLine] = []
    for number, edge in enumerate(drawing.edges):
        source, target = boxes[edge.source], boxes[edge.target]
        begin = (source.left + source.width, source.top + source.height / 2)
        end = (target.left, target.top + target.height / 2)
        if number in routed:
            passed = range(depths[edge.source] + 1, depths[edge.target])
            middle: list[Point] = []
            for depth in passed:
                y = tops[number, depth] + _PASSAGE / 2
                middle += [(lefts[depth], y), (lefts[depth] + widths[depth], y)]
            lines.append(EdgeLine(edge=edge, points=(begin, *middle, end)))
        else:
            bottom += _PASSAGE
            down, up = begin[0] + GAP / 4, end[0] - GAP / 4
            corners = ((down, begin[1]), (down, bottom), (up, bottom), (up, end[1]))
            lines.append(EdgeLine(edge=edge, points=(begin, *corners, end), is_below=True))
    width = lefts[-1] + widths[-1] + MARGIN
    return Layout(boxes=boxes, lines=tuple(lines), width=width, height=bottom + MARGIN)
