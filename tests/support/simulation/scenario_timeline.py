"""Instants in a scenario's document, read without the product."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Document = Mapping[str, Any]
Spans = tuple[tuple[datetime, datetime], ...]
#: From one tick of planner and sweeper to the next.
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Change:
    """Something is done to a job, a calendar or a freeze."""

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


def next_minute(instant: datetime) -> datetime:
    """The first full minute that is not earlier."""
    full = instant.replace(second=0, microsecond=0)
    return full if full == instant else full + MINUTE


def start_of(document: Document) -> datetime:
    """The creation of its first job."""
    return min(created_at(document, job) for job in jobs_of(document))


def created_at(document: Document, job: Document) -> datetime:
    """The creation of a job."""
    return read(job.get("created_at", document["from"]))


def jobs_of(document: Document) -> list[Document]:
    """Its jobs; the document itself when there is one."""
    return list(document.get("jobs", [document]))


def outages_of(document: Document, part: str) -> Spans:
    """The spans in which its planner, or its executors, are down."""
    spans = document.get(part, {}).get("outages", ())
    return tuple((read(span["from"]), read(span["to"])) for span in spans)


def lies_in(spans: Spans, at: datetime) -> bool:
    """Tell if an instant lies in one of these spans."""
    return any(first <= at < end for first, end in spans)


def changes_of(document: Document) -> list[Change]:
    """All that is done in its time, in order; calendars come before jobs."""
    found = [*_of_calendars(document), *_of_freezes(document)]
    for number, job in enumerate(jobs_of(document)):
        found += [Change(created_at(document, job), "create", (number,)), *_of_job(job, number)]
    end = read(document["to"])
    return sorted((change for change in found if change.at < end), key=lambda change: change.at)


def ticks_of(document: Document, rows: Iterable[Mapping[str, Any]]) -> Iterator[datetime]:
    """Yield the instants of ticks that a simulation's decisions need.

    They add to the ticks that the stack asks for itself (``stack_clockwork``).
    """
    for row in rows:
        yield next_minute(read(row.get("planned_at") or row["recorded_at"]))
    for part in ("planner", "executor"):
        for _, end in outages_of(document, part):
            yield next_minute(end)
    for change in changes_of(document):
        yield next_minute(change.at)


def _of_job(job: Document, number: int) -> Iterator[Change]:
    for pause in job.get("pauses", ()):
        yield Change(read(pause["from"]), "post", (number, "pause", {}))
        if pause.get("to"):
            body = {"catch_up": pause.get("catch_up", False)}
            yield Change(read(pause["to"]), "post", (number, "resume", body))
    for edit in job.get("edits", ()):
        yield Change(read(edit["at"]), "patch", (number, {"schedule": edit["schedule"]}))
    if job.get("cancelled_at"):
        yield Change(read(job["cancelled_at"]), "post", (number, "cancel", {}))


def _of_calendars(document: Document) -> Iterator[Change]:
    for name, calendar in document.get("calendars", {}).items():
        first = {field: value for field, value in calendar.items() if field != "edits"}
        yield Change(start_of(document), "put_calendar", (name, first))
        for edit in calendar.get("edits", ()):
            yield Change(read(edit["at"]), "put_calendar", (name, edit["calendar"]))


def _of_freezes(document: Document) -> Iterator[Change]:
    for number, freeze in enumerate(document.get("freezes", ())):
        known_at = read(freeze.get("created_at", start_of(document)))
        yield Change(max(known_at, start_of(document)), "freeze", (number, freeze))
        if freeze.get("lifted_at"):
            yield Change(read(freeze["lifted_at"]), "lift", (number,))
