"""When a scenario's changes and ticks come, read off its document without the product."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Document = Mapping[str, Any]
#: A run is published before its instant, as a planner that ticks each minute does.
BEFORE_DUE = timedelta(seconds=2)


@dataclass(frozen=True)
class Moment:
    """Something happens at an instant."""

    at: datetime
    #: The name of the player's method.
    verb: str
    #: Its arguments.
    given: tuple[Any, ...] = ()


def read(instant: str | datetime) -> datetime:
    """An instant of a document, aware UTC."""
    if isinstance(instant, datetime):
        return instant.astimezone(UTC)
    return datetime.fromisoformat(instant).astimezone(UTC)


def written(value: Any) -> Any:  # noqa: ANN401 - JSON
    """A value of a YAML document as JSON has it: dates and instants become text."""
    if isinstance(value, Mapping):
        return {name: written(each) for name, each in value.items()}
    if isinstance(value, list):
        return [written(each) for each in value]
    return value.isoformat() if hasattr(value, "isoformat") else value


def start_of(document: Document) -> datetime:
    """The creation of the job."""
    return read(document.get("created_at", document["from"]))


def is_planned(document: Document, at: datetime) -> bool:
    """Whether the planner ticks at an instant."""
    outages = document.get("planner", {}).get("outages", ())
    return not any(read(span["from"]) <= at < read(span["to"]) for span in outages)


def timeline(document: Document, rows: Iterable[Mapping[str, Any]]) -> list[Moment]:
    """All that happens, in order; the rows of the simulation tell when to look, not what to see."""
    found = [Moment(start_of(document), "create"), *_of_the_job(document), *_of_others(document)]
    end = read(document["to"])
    ticks = sorted(at for at in {*_looks(document, rows)} if at <= end)
    found += [Moment(at, "tick" if is_planned(document, at) else "settle") for at in ticks]
    return sorted(found, key=lambda moment: moment.at)


def _of_the_job(document: Document) -> Iterator[Moment]:
    for pause in document.get("pauses", ()):
        yield Moment(read(pause["from"]), "post", ("pause", {}))
        if pause.get("to"):
            body = {"catch_up": pause.get("catch_up", False)}
            yield Moment(read(pause["to"]), "post", ("resume", body))
    for edit in document.get("edits", ()):
        yield Moment(read(edit["at"]), "patch", ({"schedule": edit["schedule"]},))
    if document.get("cancelled_at"):
        yield Moment(read(document["cancelled_at"]), "post", ("cancel", {}))


def _of_others(document: Document) -> Iterator[Moment]:
    """Changes of calendars and freezes."""
    for name, calendar in document.get("calendars", {}).items():
        for edit in calendar.get("edits", ()):
            yield Moment(read(edit["at"]), "put_calendar", (name, edit["calendar"]))
    for freeze in document.get("freezes", ()):
        at = read(freeze.get("created_at", start_of(document)))
        yield Moment(max(at, start_of(document)), "freeze", (freeze,))
        if freeze.get("lifted_at"):
            yield Moment(read(freeze["lifted_at"]), "lift")


def _looks(document: Document, rows: Iterable[Mapping[str, Any]]) -> Iterator[datetime]:
    for row in rows:
        for name in ("planned_at", "recorded_at"):
            if row.get(name):
                yield read(row[name])
        if row.get("due_at"):
            yield read(row["due_at"]) - BEFORE_DUE
    for outage in document.get("planner", {}).get("outages", ()):
        yield read(outage["to"])
