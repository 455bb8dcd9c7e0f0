"""Lines of our pictures cross no more often than those of Graphviz and ELK."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.dag_runs.crossings import crossings, drawn_lines
from tests.support.dag_runs.pipelines import FIVE_HUNDRED, SIXTY
from timegate.domain.dag_runs.pictures.graph_layout import lay_out
from timegate.domain.dags.drawing import Drawing

#: By ``python -m bench.graph_layouts``, which asks the other programs.
MEASURED: dict[str, Any] = json.loads(
    Path(__file__).resolve().parents[4].joinpath("bench/results/graph_layouts.json").read_text()
)


def crossed(drawing: Drawing) -> int:
    """Count the crossings of lines in Timegate's own picture."""
    return crossings(drawn_lines(lay_out(drawing)))


@pytest.mark.parametrize("drawing", SIXTY, ids=lambda drawing: drawing.name)
def test_at_sixty_tasks_no_other_program_draws_notably_fewer(drawing: Drawing) -> None:
    """On pipelines, ranks, trees and tangles: at most one crossing in twenty more than theirs."""
    known = MEASURED[drawing.name]

    assert crossed(drawing) == known["own"]["crossings"]
    assert known["own"]["crossings"] <= 1.05 * known["graphviz"]["crossings"]
    assert known["own"]["crossings"] <= 1.05 * known["elk"]["crossings"]


def test_at_five_hundred_tasks_they_are_near() -> None:
    """No more than a fifth above Graphviz, on every graph; below both on all together."""
    known = [MEASURED[drawing.name] for drawing in FIVE_HUNDRED]
    sums = {
        way: sum(each[way]["crossings"] for each in known) for way in ("own", "graphviz", "elk")
    }

    assert crossed(FIVE_HUNDRED[1]) == known[1]["own"]["crossings"]
    assert all(each["own"]["crossings"] <= 1.2 * each["graphviz"]["crossings"] for each in known)
    assert sums["own"] < min(sums["graphviz"], sums["elk"])


def test_a_crossing_is_counted_once() -> None:
    """Lines that meet at a task do not cross."""
    cross = [[(0.0, 0.0), (100.0, 100.0)], [(0.0, 100.0), (100.0, 0.0)]]
    meeting = [[(0.0, 0.0), (100.0, 50.0)], [(0.0, 100.0), (100.0, 50.0)]]

    assert crossings(cross) == 1
    assert crossings(meeting) == 0
    assert crossings([cross[0], [(50.0, 90.0), (90.0, 50.0), (110.0, 90.0), (0.0, 90.0)]]) == 2
