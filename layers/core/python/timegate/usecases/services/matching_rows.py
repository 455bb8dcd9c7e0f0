"""Looking through a listing for rows that match, a bounded part of it at a time."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TypeVar

from timegate.ports.stores import NamedPage, Page

Row = TypeVar("Row")
SomePage = TypeVar("SomePage", bound=Page)  # type: ignore[type-arg]  # Of whichever rows.

#: A filter that nothing matches must not read a tenant's everything in one request.
MAX_PAGES_READ = 10


def look_through(
    read: Callable[[int, str | None], SomePage],
    matches: Callable[[Row], bool],
    *,
    limit: int,
    cursor: str | None,
) -> tuple[tuple[Row, ...], list[SomePage]]:
    """The rows that match, at most ``limit``, and the pages that were read for them.

    The last page's cursor leads on. Fewer rows, even none, with a cursor mean "not finished
    looking". ``read`` takes how many rows and where to begin.
    """
    found: list[Row] = []
    pages: list[SomePage] = []
    while len(pages) < MAX_PAGES_READ:
        # Never more than still fit: a cursor lies between pages, not within one.
        page = read(limit - len(found), cursor)
        pages.append(page)
        found += [row for row in page.rows if matches(row)]
        cursor = page.cursor
        if cursor is None or len(found) >= limit:
            break
    return tuple(found), pages


def damaged_of(pages: Sequence[NamedPage[Row]]) -> tuple[tuple[str, str], ...]:
    """Return the records of pages that cannot be read, and what is wrong with them."""
    return tuple(chain.from_iterable(page.damaged for page in pages))
