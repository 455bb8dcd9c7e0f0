"""The page of measurements has the answers that are stored: ``python -m bench.page`` writes it."""

import re

import pytest

from bench.page.performance import PAGE, PARTS, written
from bench.page.sections import bars, kept, section, table

#: Fields of ``bench.alternatives.origin``.
ORIGIN = {"machine", "python", "load", "commit", "date"}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_shows_its_stored_answer(name: str) -> None:
    """A figure that is changed by hand, or an answer without its page, fails here."""
    part = PARTS[name]

    assert kept(PAGE.read_text(), name) == section(name, part.text(part.read()))


@pytest.mark.parametrize("name", PARTS)
def test_an_answer_names_its_origin(name: str) -> None:
    """Machine, load, commit and day are in the answer and in the text."""
    answer = PARTS[name].read()

    assert set(answer) >= ORIGIN
    assert f"commit {answer['commit']}, {answer['date']}." in kept(PAGE.read_text(), name)


def test_marks_and_parts_are_the_same() -> None:
    """A mark without a part would keep what is written by hand."""
    assert re.findall(r"<!-- end of (\w+) -->", PAGE.read_text()) == [*PARTS]


def test_a_page_that_is_written_twice_stays() -> None:
    """Text outside the marks is left alone."""
    page = PAGE.read_text()

    assert written(page.replace(kept(page, "dags"), section("dags", "by hand"))) == page


def test_tables_and_plots_are_those_of_markdown_and_mermaid() -> None:
    """Names are quoted, for they have spaces."""
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n| --- | --- |\n| 1 | 2 |"
    assert bars("A title", "ms", {"a tick": 0.83, "naive": 5.0}).splitlines() == [
        "```mermaid",
        "xychart-beta",
        '    title "A title"',
        '    x-axis ["a tick", "naive"]',
        '    y-axis "ms"',
        "    bar [0.83, 5]",
        "```",
    ]
