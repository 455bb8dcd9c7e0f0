"""Options and steps that listings share."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from timegate.client import JsonObject
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PageOptions:
    """Page of a listing."""

    limit: Annotated[
        int | None, typer.Option(metavar="N", help="Show so many rows of a page, 1 to 100.")
    ] = None
    cursor: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Go on where a page ended.")
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="Show every page from there on.")] = (
        False
    )

    def read(self, fetch: Callable[[str | None], JsonObject]) -> JsonObject:
        """The page, or with ``--all`` one long page; ``fetch`` takes a page's cursor."""
        if not self.everything:
            return fetch(self.cursor)
        pages = list(every_page(lambda cursor: fetch(cursor or self.cursor)))
        rows = [row for page in pages for row in page["items"]]
        whole: dict[str, Any] = {"items": rows, "next_cursor": None}
        damaged = [page["damaged"] for page in pages if "damaged" in page]
        for name in ("job_ids", "run_ids", "dag_ids", "names"):
            if any(name in each for each in damaged):
                ids = [each for page in damaged for each in page.get(name, [])]
                whole["damaged"] = {"count": len(ids), name: ids}
        # Every page says the rest of the whole listing, the last one most lately.
        return {**pages[-1], **whole}


def every_page(fetch: Callable[[str | None], JsonObject]) -> Iterator[JsonObject]:
    """Every page of a listing; ``fetch`` takes the cursor of a page, ``None`` for the first."""
    cursor = None
    while True:
        page = fetch(cursor)
        yield page
        cursor = page["next_cursor"]
        if cursor is None:
            return
