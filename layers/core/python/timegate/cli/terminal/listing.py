"""Options and steps that listings share."""

from typing import Annotated, Any, ParamSpec

import typer

from timegate.client import JsonObject
from timegate.client.operation import Pages
from timegate.value_classes import dataclass

Filters = ParamSpec("Filters")


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

    def read(
        self, pages: Pages[Filters, Any, Any], *of: Filters.args, **filters: Filters.kwargs
    ) -> JsonObject:
        """The page of a listing, or with ``--all`` one long page; limit and cursor are added."""
        listing: Pages[..., Any, Any] = pages
        asked = {"limit": self.limit, **filters, "cursor": self.cursor}
        if not self.everything:
            page: JsonObject = listing(*of, **asked)
            return page
        found = list(listing.pages(*of, **asked))
        rows = [row for page in found for row in page["items"]]
        whole: dict[str, Any] = {"items": rows, "next_cursor": None}
        damaged = [page["damaged"] for page in found if "damaged" in page]
        for name in ("job_ids", "run_ids", "dag_ids", "names"):
            if any(name in each for each in damaged):
                ids = [each for page in damaged for each in page.get(name, [])]
                whole["damaged"] = {"count": len(ids), name: ids}
        # Every page says the rest of the whole listing, the last one most lately.
        return {**found[-1], **whole}
