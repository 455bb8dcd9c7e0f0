"""Texts in pictures, cut to the columns that they have."""

from unicodedata import east_asian_width


def cells(text: str) -> int:
    """Count columns of text; characters of East Asia take two."""
    return sum(2 if east_asian_width(each) in {"W", "F"} else 1 for each in text)


def cut(text: str, columns: int) -> str:
    """Return text that takes no more columns, with an ellipsis where some of it is left out."""
    if cells(text) <= columns:
        return text
    while cells(text) >= columns:
        text = text[:-1]
    return f"{text}…"
