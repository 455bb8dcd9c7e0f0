"""Effects of an edit on a job's instants, in words."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich.console import Group, RenderableType

from timegate.cli.showing.grids import details
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.showing.presentation import presentation
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject


def edit_details(preview: JsonObject) -> RenderableType:
    """Schedules and counts, then the first instants of each kind."""
    description = preview["description"]
    stored = preview["stored"]
    facts = {
        "version": plain(preview["version"]),
        "status": plain(preview["status"]),
        "before": plain(description["before"]),
        "after": plain(description["after"]),
        "from": zoned(preview["from"]),
        "until": zoned(preview["compared_until"]),
        "runs": _runs(preview),
        "changes": _changes(preview),
        "stored runs": f"{plain(stored['adopted'])} adopted, "
        f"{plain(stored['superseded'])} superseded",
        **_costs(preview),
        **_payloads(preview),
    }
    ends = [f"{side}: {plain(end['description'])}" for side, end in _ends(preview)]
    lines = [*_notes(preview), *instant_lines(preview), *ends]
    return Group(details(facts), *(["", *lines] if lines else []))


def summary_line(preview: JsonObject, days: int) -> str:
    """Everything in one line, for a list of changes."""
    cut = preview["compared_until"] != preview["until"]
    span = f"until {zoned(preview['compared_until'])}" if cut else f"next {_days(days)}"
    span += f" ({presentation().zone_label})"
    return f"{span}: {_changes(preview)}; {_runs(preview)}"


def instant_lines(preview: JsonObject) -> Iterator[str]:
    """The first instants that are moved, gained and lost, in the zone that is shown."""
    for each in preview["moved"]["first"]:
        yield f"~ {_shown(each['before'])} → {_shown(each['after'])}"
    yield from _rest(preview["moved"], "moved")
    for sign, name in (("+", "gained"), ("-", "lost")):
        for each in preview[name]["first"]:
            yield f"{sign} {_shown(each)}"
        yield from _rest(preview[name], name)


def end_line(preview: JsonObject) -> Iterator[str]:
    """Yield the line about the instant at which ``max_runs`` ends the edited job."""
    yield from (plain(end["description"]) for side, end in _ends(preview) if side == "after")


def _ends(preview: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    found = preview["end"]
    yield from ((side, found[side]) for side in ("before", "after") if found[side] is not None)


def _rest(part: JsonObject, name: str) -> Iterator[str]:
    left = part["count"] - len(part["first"])
    if left and part["first"]:
        yield f"  and {left} more {name}"


def _notes(preview: JsonObject) -> Iterator[str]:
    if preview["status"] == "paused":
        yield "The job is paused, so nothing runs. --resumed compares as if it were resumed."
    if preview["compared_until"] != preview["until"]:
        yield "There are too many instants to compare: those of the first days are."


def _changes(preview: JsonObject) -> str:
    return ", ".join(f"{preview[name]['count']} {name}" for name in ("gained", "lost", "moved"))


def _runs(preview: JsonObject) -> str:
    runs = preview["instants"]
    return f"{runs['before']} runs before, {runs['after']} after"


def _costs(preview: JsonObject) -> dict[str, str]:
    """Both estimates of the cost; the API of an older stage has none."""
    cost = preview.get("cost")
    if cost is None:
        return {}
    before, after = (plain(cost[side]["description"]) for side in ("before", "after"))
    return {"cost": after if before == after else f"{before} → {after}"}


def _payloads(preview: JsonObject) -> dict[str, str]:
    """Both payloads of first runs, where they were asked for; an older stage shows none."""
    payload = preview.get("payload")
    if payload is None:
        return {}
    before, after = (compact_json(payload[side]) for side in ("before", "after"))
    return {"payload": after if before == after else f"{before} → {after}"}


def _shown(instant: Mapping[str, Any]) -> str:
    """The instant, and when it starts if that is later."""
    at, runs_at = day_and_time(instant["at"]), day_and_time(instant["runs_at"])
    return at if at == runs_at else f"{at} (starts {runs_at})"


def day_and_time(text: str) -> str:
    """An instant with its weekday, as people plan by it."""
    at = presentation().local(datetime.fromisoformat(text))
    return f"{at:%a} {moment(text)}"


def _days(days: int) -> str:
    return "day" if days == 1 else f"{days} days"
