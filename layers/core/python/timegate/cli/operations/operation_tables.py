"""Tables of operations in a terminal."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from timegate.cli.showing.grids import Column, details, listing, table
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import clipped, labels, plain, span
from timegate.client import JsonObject

_BAR_COLUMNS = 20


def operation_details(operation: JsonObject) -> RenderableType:
    """Everything about an operation."""
    parts: list[RenderableType] = [
        details(
            {
                "operation_id": plain(operation["operation_id"]),
                "kind": plain(operation["kind"]),
                **_asked_for(operation),
                "status": _status(operation),
                "counts": _counts(operation),
                "gave up": _error(operation["failure"]),
                "by": plain(operation["created_by"]),
                "created": zoned(operation["created_at"]),
                "updated": zoned(operation["updated_at"]),
                "ended": zoned(operation["ended_at"]),
            }
        )
    ]
    if operation["errors"]:
        parts += [Text(), _errors(operation["errors"])]
    return Group(*parts)


def operation_table(page: JsonObject) -> RenderableType:
    """Operations, one a line."""
    return listing(
        page,
        {
            "operation_id": lambda row: plain(row["operation_id"]),
            "kind": lambda row: plain(row["kind"]),
            "status": _status,
            "counts": _counts,
            "by": lambda row: plain(row["created_by"]),
            "created (UTC)": lambda row: moment(row["created_at"]),
        },
        "No operations.",
    )


def operation_progress(operation: JsonObject) -> RenderableType:
    """One line that grows; of a bulk change its length is not known ahead."""
    counts = operation["counts"]
    finished = counts["done"] + counts["unchanged"] + counts["failed"]
    ended = operation["ended_at"] is not None
    known = operation["kind"] == "backfill" or ended
    bar = ProgressBar(
        total=max(counts["matched"], 1) if known else None,
        completed=max(counts["matched"], 1) if ended and known else finished,
        width=_BAR_COLUMNS,
        pulse=not known,
    )
    grid = Table.grid(padding=(0, 2))
    grid.add_row(plain(operation["kind"]), bar, _counts(operation), _status(operation))
    return grid


def preview_details(preview: JsonObject) -> RenderableType:
    """Show the effects of a backfill."""
    counts = details(
        {
            "instants": plain(preview["instants"]),
            "new": plain(preview["new"]),
            "reopened": plain(preview["reopened"]),
            "unchanged": plain(preview["unchanged"]),
        }
    )
    if not preview["first"]:
        return counts
    columns: dict[str, Column] = {
        "first (UTC)": lambda each: moment(each["instant"]),
        "fate": lambda each: plain(each["fate"]),
    }
    return Group(counts, Text(), table(preview["first"], columns))


def creation_table(answer: JsonObject) -> RenderableType:
    """Show the result for each job that was to be created."""
    columns: dict[str, Column] = {
        "index": lambda item: plain(item["index"]),
        "status": lambda item: plain(item["status"]),
        "job_id": lambda item: plain(item["job"] and item["job"]["job_id"]),
        "name or error": _name_or_error,
    }
    summary = f"{answer['created']} created, {answer['replayed']} there before"
    return Group(
        table(answer["items"], columns), Text(), Text(f"{summary}, {answer['failed']} refused")
    )


def validation_table(answer: JsonObject) -> RenderableType:
    """Show for each job whether it could be created."""
    columns: dict[str, Column] = {
        "index": lambda item: plain(item["index"]),
        "name": lambda item: clipped(plain(item["definition"] and item["definition"]["name"])),
        "would be": lambda item: "created" if item["valid"] else "refused",
        "why": lambda item: plain(_fields(item["errors"])),
    }
    return Group(table(answer["items"], columns), Text(), Text("Nothing was created."))


def _fields(errors: Iterable[JsonObject]) -> str:
    return "; ".join(f"{each['field']} [{each['code']}]" for each in errors)


def _asked_for(operation: JsonObject) -> dict[str, str]:
    asked = operation["parameters"]
    if "job_id" in asked:
        return {
            "job_id": plain(asked["job_id"]),
            "from": zoned(asked["from"]),
            "to": zoned(asked["to"]),
            "reprocess": plain(asked["reprocess"]),
            "at once": plain(asked["max_concurrent"]),
        }
    wanted = asked["filter"]
    if "run_ids" in wanted:
        return _letters(asked)
    if "error_code" in wanted:
        return _failures(asked)
    if "job_id" in wanted:
        return _pending(wanted) | _new_instants(asked)
    criteria = {"tags": labels(wanted["tags"])} | {
        # A stage of an earlier release selects by no name, and knows of no reason.
        name: plain(wanted.get(name))
        for name in ("status", "kind", "priority", "name")
    }
    given = {name: value for name, value in criteria.items() if value != plain(None)}
    words = ", ".join(f"{name} {value}" for name, value in given.items())
    return {
        "jobs": words or "all",
        "catch up": "yes" if asked["catch_up"] else plain(None),
        "reason": plain(asked.get("reason")),
    }


def _pending(wanted: JsonObject) -> dict[str, str]:
    criteria = {name: plain(wanted[name]) for name in ("job_id", "name")}
    criteria |= {"tags": labels(wanted["tags"])}
    criteria |= {name: zoned(wanted[name]) for name in ("from", "to")}
    given = [f"{name} {value}" for name, value in criteria.items() if value != plain(None)]
    return {"pending runs": ", ".join(given) or "all"}


def _new_instants(asked: JsonObject) -> dict[str, str]:
    """Show the instants of a rescheduling; those of a cancellation are none."""
    if "at" not in asked:
        return {}
    spread = asked["spread_seconds"]
    within = f", each within {span(spread * 1000)} from then on" if spread else ""
    return {"due": f"{zoned(asked['at'])}{within}"}


def _failures(asked: JsonObject) -> dict[str, str]:
    wanted = asked["filter"]
    criteria = {name: plain(wanted[name]) for name in ("reason", "error_code", "job_id", "name")}
    criteria |= {name: zoned(wanted[name]) for name in ("from", "to")}
    criteria |= {"state": plain(", ".join(wanted["state"])), "tags": labels(wanted["tags"])}
    given = [f"{name} {value}" for name, value in criteria.items() if value != plain(None)]
    return {
        "failed runs": ", ".join(given) or "all",
        "with": "fresh" if asked["fresh"] else plain(None),
        "note": plain(asked["note"]),
    }


def _letters(asked: JsonObject) -> dict[str, str]:
    wanted = asked["filter"]
    criteria = {name: plain(wanted[name]) for name in ("job_id", "reason", "error_code")}
    criteria |= {name: zoned(wanted[name]) for name in ("from", "to")}
    if wanted["run_ids"]:
        criteria["runs"] = plain(", ".join(wanted["run_ids"]))
    given = [f"{name} {value}" for name, value in criteria.items() if value != plain(None)]
    differences = [word for word in ("payload_corrected", "fresh") if asked[word]]
    return {
        "dead letters": ", ".join(given) or "all",
        "with": plain(", ".join(differences).replace("_", " ") or None),
        "note": plain(asked["note"]),
    }


def _status(operation: JsonObject) -> Text | str:
    notes = [
        note
        for note, holds in (
            ("asked to stop", operation["cancel_requested"] and operation["ended_at"] is None),
            (f"waits for {_awaited(operation)}", operation["waits_for"] is not None),
            ("stands still", operation["stalled"]),
        )
        if holds
    ]
    status = state(operation["status"])
    return Text.assemble(status, f" ({', '.join(notes)})") if notes else status


def _awaited(operation: JsonObject) -> str:
    awaited = operation["waits_for"]
    return f"its {plain(awaited)} to be resumed" if awaited in {"job", "tenant"} else plain(awaited)


def _counts(operation: JsonObject) -> str:
    counts = operation["counts"]
    words = f"{counts['done']} of {counts['matched']} done"
    for name, word in (
        ("unchanged", "unchanged"),
        ("failed", "failed"),
        ("in_progress", "in progress"),
    ):
        words += f", {counts[name]} {word}" if counts[name] else ""
    return words


def _errors(errors: Iterable[JsonObject]) -> RenderableType:
    columns: dict[str, Column] = {
        "item": lambda error: plain(error["item"]),
        "error": lambda error: clipped(_error(error)),
    }
    return table(errors, columns)


def _error(error: JsonObject | None) -> str:
    return plain(error and f"{error['code']}: {error['detail']}")


def _name_or_error(item: JsonObject) -> str:
    if item["job"] is not None:
        return clipped(plain(item["job"]["name"]))
    error = item["error"]
    return plain(_fields(error["errors"]) or f"[{error['code']}] {error['detail']}")
