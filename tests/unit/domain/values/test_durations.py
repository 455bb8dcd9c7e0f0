"""Durations in ISO 8601."""

import re
from pathlib import Path

import pytest

from timegate.domain.values.durations import read_duration
from timegate.domain.values.errors import InvalidInput

PAGE = (Path(__file__).parents[4] / "docs" / "concepts" / "schedules.md").read_text()
SECTION = PAGE.partition("## Durations")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| `(\w[\w.]*)` \| (.+) \|$", SECTION, re.MULTILINE)
NUMBER_OF_ROWS = 8


@pytest.mark.parametrize(("text", "meaning"), ROWS, ids=str)
def test_each_documented_duration(text: str, meaning: str) -> None:
    """Is so many seconds, or refused with the code."""
    assert len(ROWS) == NUMBER_OF_ROWS
    if meaning.startswith("refused"):
        with pytest.raises(InvalidInput) as refused:
            read_duration(text)
        assert refused.value.code in meaning
    else:
        assert str(read_duration(text)) == meaning


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("PT0S", 0),
        ("PT1S", 1),
        ("PT1.5M", 90),
        ("PT0,5H", 1800),
        ("P1DT1S", 86_401),
        ("P1W2DT3H4M5.6S", 788_645.6),
        ("P0.5D", 43_200),
        ("PT001M", 60),
    ],
)
def test_durations(text: str, seconds: float) -> None:
    """Whole seconds are integers."""
    found = read_duration(text)

    assert found == seconds
    assert isinstance(found, int) == (seconds == int(seconds))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "P",
            "PT",
            "P1",
            "1D",
            "P1DT",
            "PT1",
            "P1S",
            "PT1D",
            "PT1M1H",
            "P1D1W",
            "p1d",
            "PT1m",
        ),
        *("-PT1S", "P-1D", "PT1.5H1M", "P1.5DT1S", "PT.5S", "PT1.S", " PT1S", "PT1S ", "P1D\n"),
        *("PT1H2", "PT\u0661S", "PT1e3S", "PT1234567890123S", "P1WT", "PT5", "five minutes"),
    ],
)
def test_what_is_no_duration_is_refused(text: str) -> None:
    """With an example."""
    with pytest.raises(InvalidInput, match=r"PT5M|Only the last part") as refused:
        read_duration(text)

    assert refused.value.code == "invalid_duration"


@pytest.mark.parametrize("text", ["P1Y", "P1M", "P1Y2M3D", "P1MT1M", "P1Y1W", "P0.5Y"])
def test_years_and_months_are_refused(text: str) -> None:
    """They have no fixed length; minutes stand behind ``T``."""
    with pytest.raises(InvalidInput, match="P30D") as refused:
        read_duration(text)

    assert refused.value.code == "calendar_duration"
