"""Reading the log of a run to its end, or for as long as it grows."""

from collections import Counter
from collections.abc import Iterator

from timegate.cli.terminal.watching import Patience, has_ended
from timegate.client import JsonObject, TimegateClient


def whole_log(client: TimegateClient, run_id: str) -> JsonObject:
    """Every line there is, as one page."""
    lines = [line for _, page in _pages(client, run_id, None) for line in page["items"]]
    return {"items": lines, "next_cursor": None}


def follow_log(client: TimegateClient, run_id: str, patience: Patience) -> Iterator[JsonObject]:
    """Each line once, as it comes, until the run has ended."""
    seen: Counter[tuple[object, ...]] = Counter()
    last: str | None = None
    while True:
        # Asked first: what is said before the end is on the page that is read after it.
        ended = has_ended(client.get_run(run_id))
        shown: Counter[tuple[object, ...]] = Counter()
        for cursor, page in _pages(client, run_id, last):
            last = cursor
            for line in page["items"]:
                key = tuple(line[name] for name in ("at", "attempt", "kind", "text"))
                shown[key] += 1
                if shown[key] > seen[key]:
                    seen[key] = shown[key]
                    yield line
        if ended or not patience.wait():
            return


def _pages(
    client: TimegateClient, run_id: str, cursor: str | None
) -> Iterator[tuple[str | None, JsonObject]]:
    """Pages from a cursor on, each with the one that led to it."""
    while True:
        page = client.read_log(run_id, cursor=cursor)
        yield cursor, page
        cursor = page["next_cursor"]
        if cursor is None:
            return
