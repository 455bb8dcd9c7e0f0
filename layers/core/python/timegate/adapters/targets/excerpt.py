"""Answers are kept as excerpts: enough to see what happened, small enough for the record."""

from timegate.domain.runs.run_result import MAX_CHARACTERS, MAX_RESULT_BYTES, excerpt
from timegate.domain.values.redaction import without_credentials

__all__ = ["MAX_CHARACTERS", "excerpt", "whole"]


def whole(text: str) -> str | None:
    """All of an answer but credentials, where an excerpt is not, unless it is too large."""
    plain = without_credentials(text)
    if len(plain) <= MAX_CHARACTERS or len(plain.encode(errors="replace")) > MAX_RESULT_BYTES:
        return None
    return plain
