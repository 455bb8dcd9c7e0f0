"""Pages of a forecast, added up."""

from collections import Counter
from dataclasses import field
from datetime import datetime
from typing import Any

from timegate.client import JsonObject
from timegate.domain.previews.load.forecast import MinuteRange, at_minute, busiest
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(kw_only=True, slots=True)
class Merged:
    """Sums of the pages so far."""

    jobs: Counter[str] = field(default_factory=Counter)
    _span: dict[str, str] = field(default_factory=dict)
    _queues: dict[tuple[str, bool], dict[str, Any]] = field(default_factory=dict)

    def add(self, page: JsonObject) -> None:
        """Add a page's numbers. An advice is about the jobs of one page: the largest peak's stays.

        Raises ``KeyError`` for what is no forecast.
        """
        # A page that lacks them is told by the function that draws it.
        self._span = {name: page.get(name, "") for name in ("from", "until")}
        self.jobs.update(page.get("jobs", {}))
        for queue in page.get("queues", []):
            key = (queue["queue"], queue["is_pool"])
            known = self._queues.get(key)
            if known is None:
                self._queues[key] = {**queue}
                continue
            pairs = zip(known["minutes"], queue["minutes"], strict=True)
            known["minutes"] = [one + other for one, other in pairs]
            known["runs"] += queue["runs"]
            known["advice"] = max(
                known["advice"],
                queue["advice"],
                key=lambda each: each["runs_before"] if each else 0,
            )

    def forecast(self, queue: str | None, cursor: str | None) -> JsonObject:
        """The whole, as the API would answer it; of one queue only, if it is named."""
        named = [each for key, each in sorted(self._queues.items()) if queue in {None, key[0]}]
        for each in named:
            each["busiest"] = self._busiest(each["minutes"])
        counts = {name: self.jobs[name] for name in ("read", "due", "damaged")}
        return {**self._span, "jobs": counts, "queues": named, "next_cursor": cursor}

    def _busiest(self, minutes: list[int]) -> list[dict[str, Any]]:
        first = minute_number(datetime.fromisoformat(self._span["from"]))
        span = MinuteRange(first=first, behind=first + len(minutes))
        return [
            {"at": rfc3339(at_minute(minute)), "runs": minutes[minute - first]}
            for minute in busiest(minutes, span)
        ]
