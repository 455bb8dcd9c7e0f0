"""Parts of pages that benches write, between two marks, and the origin that each names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any


def rewrite(page: Path, begin: str, end: str, section: str) -> None:
    """Put a section, its marks included, in the place of the one that the page has."""
    before, _, rest = page.read_text().partition(begin)
    page.write_text(f"{before}{section}{rest.partition(end)[2]}")


def said(origin: Mapping[str, Any]) -> str:
    """Say where and when something was measured, as ``bench.alternatives.origin`` found it."""
    return (
        f"on {origin['machine']}, Python {origin['python']}, load {origin['load']} by other work;"
        f" commit {origin['commit']}, {origin['date']}."
    )
