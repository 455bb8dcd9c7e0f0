"""Advice for callers about a code."""

from typing import NamedTuple

LOOK = "Check the id. Things of another tenant, or past their retention, are not found either."
READ_AGAIN = "Read it again, decide whether the change still makes sense, and send it again."


class CatalogueEntry(NamedTuple):
    """A row of the catalogue."""

    #: Fact about a problem; for a field, its fault, after "The field".
    meaning: str
    #: Advice about it.
    remedy: str
