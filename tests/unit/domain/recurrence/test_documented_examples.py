"""``docs/concepts/schedules.md`` says what the code does."""

import re
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.unit.domain.recurrence.schedules import LONG_AGO, cron, rrule, utc, written
from timegate.domain.recurrence.cron.text import ALIASES, MAX_CRON_CHARACTERS
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import CronDialect, DstPolicy, FoldPolicy, GapPolicy

PAGE = (Path(__file__).parents[4] / "docs" / "concepts" / "schedules.md").read_text()
#: cron, zone, policies, the instant before, the fires after it.
ROW = re.compile(
    r"^\| `([^`|]+)` \| ([\w/]+) \| ([^|]*) \| ([\d: -]{16}) \| ([^|]+) \|$", re.MULTILINE
)
ROWS = ROW.findall(PAGE)
POLICIES = {"dialect": CronDialect, "dst": DstPolicy, "gap": GapPolicy, "fold": FoldPolicy}


#: scheduler, cron, zone, policies, the fires of two days.
COMPARED = re.compile(
    r"^\| [\w ]+ \| `([^`|]+)` \| ([\w/]+) \| ([^|]*) ?\| ([\d:, ]+|none) \| ([\d:, ]+|none) \|$",
    re.MULTILINE,
)
COMPARISONS = COMPARED.findall(PAGE)
#: The columns' days, and the eight schedulers, two of them with a second pattern.
CHANGE_DAYS = ("2026-03-29", "2026-10-25")
COMPARED_ROWS = 10


def given_in(policies: str) -> dict[str, Any]:
    """``gap=skip`` in a cell."""
    pairs = dict(pair.strip("` ").split("=") for pair in policies.split(",") if pair.strip())
    return {name: POLICIES[name](value) for name, value in pairs.items()}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row[:3]))
def test_an_example_is_what_the_code_computes(row: tuple[str, str, str, str, str]) -> None:
    """To the second."""
    expression, zone, policies, after, fires = row
    notation = rrule if expression.startswith("FREQ=") else cron
    schedule = notation(expression, zone, **given_in(policies))
    expected = fires.split(", ")
    far = utc("2100-01-01 00:00")
    found = fires_between(schedule, created_at=LONG_AGO, after=utc(after), until=far)

    assert expected == [written(fire) for fire in islice(found, len(expected))]


@pytest.mark.parametrize("row", COMPARISONS, ids=lambda row: " ".join(row[:3]))
def test_a_compared_pattern_fires_as_the_table_says(row: tuple[str, ...]) -> None:
    """On the two days of Berlin, by the policies of the row."""
    expression, zone, policies, *columns = row
    schedule = cron(expression, zone, **given_in(policies))
    for day, column in zip(CHANGE_DAYS, columns, strict=True):
        expected = [] if column == "none" else [f"{day} {time}" for time in column.split(", ")]
        begin, end = utc(f"{day} 00:00") - timedelta(seconds=1), utc(f"{day} 12:00")
        found = fires_between(schedule, created_at=LONG_AGO, after=begin, until=end)

        assert [written(fire) for fire in found] == expected


def test_every_scheduler_is_compared() -> None:
    """No row is lost to a typing error."""
    assert len(COMPARISONS) == COMPARED_ROWS


def test_every_row_of_the_tables_is_read() -> None:
    """A row with a typing error would otherwise be checked by no test."""
    before_refusals = PAGE.partition("## Refusals")[0]
    tables = re.findall(
        r"(?:^\| `[^\n]*\d{4}-\d{2}-\d{2} \d{2}:[^\n]*\n)", before_refusals, re.MULTILINE
    )

    assert len(ROWS) == len(tables) > 30


def test_the_page_knows_every_alias_limit_and_code() -> None:
    """And every refusal's code, as the code writes them."""
    package = Path(__file__).parents[4] / "layers/core/python/timegate/domain/recurrence"
    source = "\n".join(path.read_text() for path in package.rglob("*.py"))
    codes = set(re.findall(r'_refuse\(\s*[\w".]+, "(\w+)"', source))
    codes |= set(re.findall(r'InvalidInput\(\s*f?"[\w.{}]+", "(\w+)"', source))
    listed = set(re.findall(r"^\| `(\w+)` \| ", PAGE.partition("## Refusals")[2], re.MULTILINE))

    assert all(f"`{alias}`" in PAGE for alias in ALIASES)
    assert f"At most {MAX_CRON_CHARACTERS} characters" in PAGE
    # Contracts refuse these two before the domain does, by codes of any field.
    read_first = {"required": "missing", "not_for_this_kind": "unknown_field"}
    assert {read_first.get(code, code) for code in codes} == listed
