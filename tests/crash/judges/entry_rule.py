"""The rule of indexes: no process writes into a bucket that its watcher has done with."""

from collections.abc import Iterable
from datetime import datetime

from tests.crash.judges.checker import instant
from tests.crash.services.tables import Item


class EntryRule:
    """No process enters anything into an index under an instant before it began.

    So a watcher that looks into a bucket a whole life after it looks for the last time.
    """

    def __init__(self) -> None:
        self.broken: list[str] = []
        self._seen: dict[tuple[str, str], str] = {}

    def begin(self, items: Iterable[Item]) -> None:
        """A new story."""
        self.broken, self._seen = [], _entries(items)

    def look(self, items: Iterable[Item], writer: str, *, began_at: datetime) -> None:
        """Judge what a call has entered: what was somewhere else before, or nowhere."""
        now = _entries(items)
        for key in now.keys() - {key for key, at in self._seen.items() if now.get(key) == at}:
            if instant(now[key]) < began_at:
                self.broken.append(f"{writer} enters {key} at {now[key]}, before it began")
        self._seen = now


def _entries(items: Iterable[Item]) -> dict[tuple[str, str], str]:
    return {
        (item["pk"]["S"], item["sk"]["S"]): item[at]["S"]
        for item in items
        for bucket, at in (("due_bucket", "due_at"), ("watch_bucket", "watch_at"))
        if bucket in item
    }
