"""Recipes of CONTRIBUTING.md name files that exist, each with its example in it."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.architecture.sources import nodes_of
from timegate.domain.jobs.definition import DEFINED

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "CONTRIBUTING.md").read_text()
#: A recipe by its heading, and a pattern that its source files hold.
EXAMPLES = {
    "Add a field of a job": "finish",
    "Add an action kind": "state.?machine|states|step.?functions",
    "Add a channel kind": "slack",
    "Add a schedule kind": "rrule|recurrence",
    "Add a metric with an alarm": "alarm|metric|unaccounted|runbook",
    "Add an API operation": "forecast",
}


def files(recipe: str) -> list[str]:
    """Paths in the rows of a recipe."""
    section = PAGE.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \| \S.+ \|$", section, re.MULTILINE)


def test_every_recipe_is_known_here() -> None:
    """A recipe without an example could name files that have nothing to do with it."""
    headings = re.findall(r"^## (Add .+)$", PAGE, re.MULTILINE)

    assert headings == list(EXAMPLES)


def holds(path: Path, example: str) -> bool:
    """Return whether a file exists and holds a pattern."""
    return path.is_file() and re.search(example, path.read_text(), re.IGNORECASE) is not None


def test_every_file_of_a_recipe_exists_and_has_the_example() -> None:
    """A recipe whose file was moved or no longer takes part misleads its reader."""
    strangers = [
        (recipe, path)
        for recipe, example in EXAMPLES.items()
        for path in files(recipe)
        if not holds(ROOT / path, example)
    ]

    assert strangers == []
    assert [recipe for recipe in EXAMPLES if len(files(recipe)) <= 5] == []


def test_records_follow_from_types() -> None:
    """A field, an action or a schedule needs no line of its own in the adapter of DynamoDB."""
    named = [path for recipe in EXAMPLES for path in files(recipe) if "adapters/dynamo" in path]

    assert [path for path in named if not path.startswith("tests/")] == []


def test_every_row_of_a_recipe_names_a_file() -> None:
    """A row that the test cannot read is a file that it does not hold."""
    rows = [
        row for row in PAGE.splitlines() if row.startswith("| ") and not row.startswith("| file")
    ]

    assert len(rows) == sum(len(files(recipe)) for recipe in EXAMPLES)


def literals(paths: Iterable[Path]) -> set[str]:
    """Texts that modules have in their code."""
    return {
        node.value
        for path in paths
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


CLI = ROOT / "layers/core/python/timegate/cli"
#: Places of the command line where a field of a job is named, each with fields named elsewhere.
PLACES = {
    # A schedule's options make the field together.
    "an option of `cli/options`": ([*(CLI / "options").glob("*.py")], {"schedule"}),
    "a row of `cli/terminal/tables.py`": ([CLI / "terminal/tables.py"], set[str]()),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_new_field_of_a_job_is_on_the_command_line(place: str) -> None:
    """A field that has no option, or no row, can be set and seen by the API alone."""
    paths, elsewhere = PLACES[place]
    forgotten = DEFINED - literals(paths) - elsewhere

    assert forgotten == set(), f"each field of a job needs {place}"


def test_a_new_field_of_a_job_is_on_a_page() -> None:
    """Readers learn from the pages of concepts, guides and reference what a field means."""
    folders = ("concepts", "guides", "reference")
    pages = [page for folder in folders for page in (ROOT / "docs" / folder).glob("*.md")]
    # The list of errors is made of the code, and names fields that no page explains.
    text = "\n".join(page.read_text() for page in pages if page.name != "errors.md")
    forgotten = {name for name in DEFINED if not re.search(rf"[`\"]{name}\b", text)}

    assert forgotten == set(), "a page of docs/ says what a field means"
