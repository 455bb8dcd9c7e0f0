"""Advice for callers about a code."""

from typing import NamedTuple


class CatalogueEntry(NamedTuple):
    """A row of the catalogue."""

    #: Of a problem: what is so. Of a field: what is wrong with it, after "The field".
    meaning: str
    #: What to do about it.
    remedy: str
