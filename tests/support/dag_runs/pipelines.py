"""Graphs of tasks as people have them, the same each time: pipelines, ranks, trees and tangles."""

from collections.abc import Iterable
from random import Random

from timegate.domain.dags.definition import Edge, EdgeCondition
from timegate.domain.dags.drawing import Drawing, Node
from timegate.domain.values.identity import TaskKey

Pairs = Iterable[tuple[int, int]]


def drawing(name: str, count: int, pairs: Pairs) -> Drawing:
    """A definition of so many tasks, and lines between them."""
    nodes = tuple(
        Node(
            key=TaskKey(f"t{number}"),
            title=f"task {number}",
            runs="webhook",
            rule="",
            is_fan_out=False,
            state=None,
        )
        for number in range(count)
    )
    edges = tuple(
        Edge(
            source=TaskKey(f"t{one}"),
            target=TaskKey(f"t{other}"),
            condition=EdgeCondition.ON_SUCCESS,
        )
        for one, other in sorted(set(pairs))
    )
    return Drawing(name=name, nodes=nodes, edges=edges)


def pipeline(sources: int, seed: int) -> Drawing:
    """Sources are extracted, cleaned and stored; tables join some, and reports some tables."""
    random = Random(seed)
    pairs: set[tuple[int, int]] = set()
    for number in range(0, 3 * sources, 3):
        pairs |= {(number, number + 1), (number + 1, number + 2)}
    stored = list(range(2, 3 * sources, 3))
    tables = list(range(3 * sources, 3 * sources + sources // 2))
    for table in tables:
        joined = random.sample(stored, min(len(stored), random.randint(2, 4)))
        pairs |= {(each, table) for each in joined}
    last = tables[-1] + 1 + sources // 3
    for report in range(tables[-1] + 1, last):
        read = random.sample(tables, min(len(tables), random.randint(1, 3)))
        pairs |= {(each, report) for each in read} | {(report, last)}
        if random.random() < 0.4:
            pairs.add((3 * random.randrange(sources), report))
    return drawing(f"pipeline of {last + 1} tasks, {seed}", last + 1, pairs)


def ranks(count: int, width: int, *, degree: int, reach: int, seed: int) -> Drawing:
    """Tasks in ranks, each behind some of the ranks before it; no name tells its place."""
    random = Random(seed)
    pairs: set[tuple[int, int]] = set()
    for number in range(width, count):
        rank, column = divmod(number, width)
        for _ in range(random.randint(1, degree)):
            back = min(rank, random.choice([1] * 4 + list(range(1, reach + 1))))
            beside = min(width - 1, max(0, column + random.randint(-2, 2)))
            pairs.add(((rank - back) * width + beside, number))
    names: list[int] = []
    for first in range(0, count, width):
        rank_names = list(range(first, min(count, first + width)))
        random.shuffle(rank_names)
        names += rank_names
    name = f"{count} tasks in ranks of {width}, {seed}"
    return drawing(name, count, {(names[one], names[other]) for one, other in pairs})


def tree(count: int, seed: int) -> Drawing:
    """Each task but the first is behind one other."""
    random = Random(seed)
    pairs = {
        (random.randint((number - 1) // 4, (number - 1) // 2), number) for number in range(1, count)
    }
    return drawing(f"tree of {count} tasks, {seed}", count, pairs)


def tangle(count: int, lines: int, seed: int) -> Drawing:
    """Lines from anywhere to anywhere behind."""
    random = Random(seed)
    pairs: set[tuple[int, int]] = set()
    while len(pairs) < lines:
        one, other = sorted(random.sample(range(count), 2))
        if other - one < count // 3:
            pairs.add((one, other))
    return drawing(f"tangle of {count} tasks and {lines} lines, {seed}", count, pairs)


SIXTY = (
    pipeline(16, 1),
    pipeline(16, 2),
    ranks(60, 6, degree=3, reach=3, seed=1),
    ranks(60, 10, degree=2, reach=4, seed=2),
    tree(60, 1),
    tangle(60, 90, 1),
    tangle(60, 60, 2),
)
FIVE_HUNDRED = (
    pipeline(130, 3),
    ranks(500, 20, degree=2, reach=3, seed=3),
    ranks(500, 40, degree=3, reach=2, seed=4),
    tree(500, 2),
    tangle(500, 600, 3),
)
