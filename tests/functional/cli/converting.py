"""Texts of other programs, converted on the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome

Timegate = Callable[..., Outcome]
Converted = Callable[..., Outcome]

AFTER = ("--after", "2026-11-21T07:00:00Z")
BERLIN = ("--timezone", "Europe/Berlin")


@pytest.fixture
def converted(timegate: Timegate, tmp_path: Path) -> Callable[..., Outcome]:
    """Convert a text."""

    def convert(source: str, text: str, *options: str) -> Outcome:
        path = tmp_path / "file"
        path.write_text(text)
        return timegate(
            "schedule", "convert", "--from", source, str(path), *AFTER, *options, "--json"
        )

    return convert


def entries(outcome: Outcome) -> list[dict[str, Any]]:
    """Return the printed entries."""
    found: list[dict[str, Any]] = outcome.json["entries"]
    return found


def warned(entry: dict[str, Any]) -> list[str]:
    """The codes of its warnings."""
    return [warning["code"] for warning in entry["warnings"]]
