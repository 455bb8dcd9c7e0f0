"""Answers are kept as excerpts: enough to see what happened, small enough for the record."""

MAX_CHARACTERS = 500


def excerpt(text: str) -> str:
    """The beginning of a text, marked where it was cut."""
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
