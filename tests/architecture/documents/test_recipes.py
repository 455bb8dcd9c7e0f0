"""Recipes of CONTRIBUTING.md name files that exist, each with its example in it."""

import re
from pathlib import Path

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
