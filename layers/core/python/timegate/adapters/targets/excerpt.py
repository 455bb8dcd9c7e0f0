"""Answers are kept as excerpts: enough to see what happened, small enough for the record."""

from timegate.domain.run_result import MAX_RESULT_BYTES

MAX_CHARACTERS = 500


def whole(text: str) -> str | None:
    """All of an answer, where an excerpt is not, unless it is too large to be kept."""
    if len(text) <= MAX_CHARACTERS or len(text.encode(errors="replace")) > MAX_RESULT_BYTES:
        return None
    return text


def excerpt(text: str) -> str:
    """The beginning of a text, marked where it was cut."""
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
