"""Count the crossings of lines, with any layout: of the lines as they are drawn."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import fsum
from typing import TypeAlias

from timegate.domain.dag_runs.pictures.graph_layout import EdgeLine, Layout, Point

Polyline: TypeAlias = Sequence[Point]
Stretch: TypeAlias = tuple[int, Point, Point]
#: Stretches that a curve is taken for.
_STRETCHES = 12
#: Stretches are compared with those of their cell, in pixels, and of the cells around it.
_CELL = 40.0


def curve(one: Point, first: Point, second: Point, other: Point) -> Iterator[Point]:
    """Points of a cubic curve behind its beginning."""
    for step in range(1, _STRETCHES + 1):
        t = step / _STRETCHES
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        points = (one, first, second, other)
        yield (
            fsum(w * p[0] for w, p in zip(weights, points, strict=True)),
            fsum(w * p[1] for w, p in zip(weights, points, strict=True)),
        )


def drawn_lines(layout: Layout) -> list[Polyline]:
    """The lines of our own pictures."""
    return [_drawn(line) for line in layout.lines]


def _drawn(line: EdgeLine) -> Polyline:
    points = [line.points[0]]
    for one, other in pairwise(line.points):
        if one[1] == other[1] or one[0] == other[0] or line.is_below:
            points.append(other)
        else:
            half = (one[0] + other[0]) / 2
            points += curve(one, (half, one[1]), (half, other[1]), other)
    return points


def crossings(lines: Sequence[Polyline]) -> int:
    """Points at which one line goes from one side of another to its other side."""
    stretches = [
        (number, one, other)
        for number, line in enumerate(lines)
        for one, other in pairwise(line)
        if one != other
    ]
    cells: dict[tuple[int, int], list[int]] = {}
    for number, stretch in enumerate(stretches):
        for cell in _cells(stretch):
            cells.setdefault(cell, []).append(number)
    pairs = {pair for near in cells.values() for pair in combinations(near, 2)}
    return sum(_cross(stretches[one], stretches[other]) for one, other in pairs)


def _cells(stretch: Stretch) -> set[tuple[int, int]]:
    _, one, other = stretch
    across, down = other[0] - one[0], other[1] - one[1]
    steps = int(max(abs(across), abs(down)) / _CELL) + 1
    places = (
        (one[0] + across * step / steps, one[1] + down * step / steps) for step in range(steps + 1)
    )
    return {
        (int(x // _CELL) + right, int(y // _CELL) + below)
        for x, y in places
        for right in (-1, 0, 1)
        for below in (-1, 0, 1)
    }


def _cross(one: Stretch, other: Stretch) -> bool:
    number, a, b = one
    another, c, d = other
    return (
        number != another
        and _side(a, b, c) * _side(a, b, d) < 0
        and _side(c, d, a) * _side(c, d, b) < 0
    )


def _side(one: Point, other: Point, point: Point) -> float:
    return (other[0] - one[0]) * (point[1] - one[1]) - (other[1] - one[1]) * (point[0] - one[0])
