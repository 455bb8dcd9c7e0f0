"""Entries of a batch that SQS refused: the call succeeds, and the client raises nothing."""

from collections.abc import Mapping
from typing import Any


def refusals(answer: Mapping[str, Any]) -> str | None:
    """Return the number of refused entries and SQS's codes; ``None``: none was refused."""
    refused = answer.get("Failed", ())
    if not refused:
        return None
    codes = ", ".join(sorted({each["Code"] for each in refused}))
    return f"{len(refused)} refused: {codes}"
