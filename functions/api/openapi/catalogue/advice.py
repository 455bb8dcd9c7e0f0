"""Advice for callers about a code."""

from typing import NamedTuple

LOOK = "Check the id. Things of another tenant, or past their retention, are not found either."
READ_AGAIN = "Read it again, decide whether the change still makes sense, and send it again."


class CatalogueEntry(NamedTuple):
    """A row of the catalogue."""

    #: Of a problem: what is so. Of a field: what is wrong with it, after "The field".
    meaning: str
    #: What to do about it.
    remedy: str
