"""Tables of dead letters in a terminal."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, details, listing, table
from timegate.cli.showing.instants import moment
from timegate.cli.terminal.tables import job_details, run_details
from timegate.cli.terminal.wording import clipped, compact_json, plain
from timegate.client import JsonObject

_COLUMNS: Mapping[str, Column] = {
    "run_id": lambda row: plain(row["run_id"]),
    "given up (UTC)": lambda row: moment(row["ended_at"]),
    "attempt": lambda row: plain(row["attempt"]),
    "reason": lambda row: plain(row["reason"]),
    "error": lambda row: clipped(plain(row["error"] and row["error"]["code"])),
}


def letter_table(page: JsonObject) -> RenderableType:
    """Dead letters, one a line."""
    return listing(page, _COLUMNS, "No dead letters.", spare=("attempt",))


def letter_details(letter: JsonObject) -> RenderableType:
    """Everything about one: what was tried, with what, and what the job said then."""
    now = letter["job_now"]
    changed = "as it was" if now["same_definition"] else "changed since"
    facts = details(
        {
            "worker": plain(letter["worker"]),
            "given": compact_json(letter["payload"]),
            "corrected": "yes" if letter["payload_corrected"] else plain(None),
            "job now": f"{plain(now['status'])}, version {plain(now['version'])}, {changed}",
        }
    )
    # A dead letter has triggered nothing: what follows a run follows its end.
    run = {**letter, "duplicates_prevented": _prevented(letter), "triggered": []}
    # Its payload is shown below, whosever it is.
    run |= {"payload_from": "job", "payload": None}
    return Group(
        run_details(run),
        Text(),
        facts,
        Text(),
        Text(f"The job in version {letter['job_version']}", style="bold"),
        job_details(letter["job"]),
    )


def preview_table(preview: JsonObject) -> RenderableType:
    """Show the dead letters that would be settled."""
    count = preview["matched"]
    words = "1 dead letter" if count == 1 else f"{count} dead letters"
    summary = Text(f"{words} would be settled.")
    if not count:
        return summary
    rows: RenderableType = table(preview["first"], _COLUMNS)
    more = count - len(preview["first"])
    return Group(rows, Text(f"... and {more} more") if more else Text(), summary)


def _prevented(letter: JsonObject) -> int:
    return sum(attempt["duplicates_prevented"] for attempt in letter["attempts"])
