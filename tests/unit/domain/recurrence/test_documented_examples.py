"""``docs/schedules.md`` says what the code does."""

import re
from itertools import islice
from pathlib import Path

import pytest

from tests.unit.domain.recurrence.schedules import LONG_AGO, cron, utc, written
from timegate.domain.recurrence import fires_between
from timegate.domain.recurrence.cron_text import ALIASES, MAX_CRON_CHARACTERS
from timegate.domain.schedule import FoldPolicy, GapPolicy

PAGE = (Path(__file__).parents[4] / "docs" / "schedules.md").read_text()
#: cron, zone, policies, the instant before, the fires after it.
ROW = re.compile(
    r"^\| `([^`|]+)` \| ([\w/]+) \| ([^|]*) \| ([\d: -]{16}) \| ([^|]+) \|$", re.MULTILINE
)
ROWS = ROW.findall(PAGE)
POLICIES = {"gap": GapPolicy, "fold": FoldPolicy}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:3]))
def test_an_example_is_what_the_code_computes(row: tuple[str, str, str, str, str]) -> None:
    """To the second."""
    expression, zone, policies, after, fires = row
    given = dict(pair.strip("` ").split("=") for pair in policies.split(",") if pair.strip())
    schedule = cron(
        expression, zone, **{name: POLICIES[name](value) for name, value in given.items()}
    )
    expected = fires.split(", ")
    far = utc("2100-01-01 00:00")
    found = fires_between(schedule, created_at=LONG_AGO, after=utc(after), until=far)

    assert expected == [written(fire) for fire in islice(found, len(expected))]


def test_every_row_of_the_tables_is_read() -> None:
    """A row with a typing error would otherwise be checked by nobody."""
    before_refusals = PAGE.partition("## Refusals")[0]
    tables = re.findall(r"(?:^\| `[^\n]*\d{4}-\d{2}-\d{2}[^\n]*\n)", before_refusals, re.MULTILINE)

    assert len(ROWS) == len(tables) > 30


def test_the_page_knows_every_alias_limit_and_code() -> None:
    """And every refusal's code, as the code writes them."""
    package = Path(__file__).parents[4] / "layers/core/python/timegate/domain/recurrence"
    source = "\n".join(path.read_text() for path in package.glob("*.py"))
    codes = set(re.findall(r'_refuse\(\s*[\w".]+, "(\w+)"', source))
    codes |= set(re.findall(r'InvalidInput\(\s*"[\w.]+", "(\w+)"', source))
    listed = set(re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Refusals")[2], re.MULTILINE))

    assert all(f"`{alias}`" in PAGE for alias in ALIASES)
    assert f"At most {MAX_CRON_CHARACTERS} characters" in PAGE
    assert codes == listed
