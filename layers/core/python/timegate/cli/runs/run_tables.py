"""Attempts, results and logs of a run in a terminal."""

from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.terminal.tables import attempts_of, state
from timegate.cli.terminal.wording import answer, clipped, plain, span
from timegate.client import JsonObject

#: Said of an empty listing that cannot have all runs.
_NONE_LISTED = (
    "None of the runs that this list has; there may be others. "
    "'timegate runs failed' lists the failed ones, 'timegate runs list JOB_ID' those of one job."
)


def attempt_table(page: JsonObject) -> RenderableType:
    """Attempts, one a line."""
    return attempts_of(page["items"])


def failure_table(page: JsonObject) -> RenderableType:
    """Failed runs of all jobs, one a line."""
    columns: dict[str, Column] = {
        "ended (UTC)": lambda run: moment(run["ended_at"]),
        "job": lambda run: clipped(plain(run["job_name"] or run["job_id"])),
        "state": lambda run: state(run["state"]),
        "reason": lambda run: plain(run["reason"]),
        "error": lambda run: clipped(plain(run["error"] and run["error"]["code"])),
        "run_id": lambda run: plain(run["run_id"]),
    }
    none = "No failed runs." if page["next_cursor"] is None else "None on this page; there is more."
    return listing(page, columns, none, spare=("reason",))


def all_runs_table(page: JsonObject) -> RenderableType:
    """Runs of all jobs in every state, one a line, and runs that the listing cannot have."""
    columns: dict[str, Column] = {
        "of (UTC)": lambda run: moment(run["scheduled_at"]),
        "job": lambda run: clipped(plain(run["job_name"] or run["job_id"])),
        "state": lambda run: state(run["state"]),
        "late": lambda run: span(run["lateness_ms"]),
        "reason": lambda run: plain(run["reason"]),
        "run_id": lambda run: plain(run["run_id"]),
    }
    left_out = page.get("left_out")
    none = "No runs." if left_out is None else _NONE_LISTED
    none = none if page["next_cursor"] is None else "None on this page; there is more."
    rows = listing(page, columns, none, spare=("reason",))
    return rows if left_out is None else Group(rows, Text(), Text(f"Not listed: {left_out}"))


def archived_table(page: JsonObject) -> RenderableType:
    """Archived runs, one a line, and how far the archive is."""
    columns: dict[str, Column] = {
        "ended (UTC)": lambda run: moment(run["ended_at"]),
        "state": lambda run: state(run["state"]),
        "took": lambda run: span(run["duration_ms"]),
        "reason": lambda run: plain(run["reason"]),
        "run_id": lambda run: plain(run["run_id"]),
    }
    none = "No runs." if page["next_cursor"] is None else "None on this page; there is more."
    rows, until = listing(page, columns, none, spare=("reason",)), page["archived_until"]
    told = f"Archived: all that ended before {until}." if until else "Nothing is archived yet."
    return Group(rows, Text(), Text(told))


def run_line(run: JsonObject) -> str:
    """One line of a run that is watched beside others."""
    name, stands = run["job_name"] or run["job_id"], run["state"]
    return f"{moment(run['scheduled_at'])}  {plain(name)}  {plain(stands)}  {plain(run['run_id'])}"


def result_details(result: JsonObject) -> RenderableType:
    """Show the result of a run."""
    size = result["size_bytes"]
    return details(
        {
            "run_id": plain(result["run_id"]),
            "state": state(result["state"]),
            "attempt": plain(result["attempt"]),
            "result": answer(result["result"]),
            "size": plain(None) if size is None else f"{size} bytes",
            "whole": plain(result["link"]),
            "until": zoned(result["link_expires_at"]),
        }
    )


def log_table(page: JsonObject) -> RenderableType:
    """Lines of a log, earliest first."""
    return listing(
        page,
        {
            "at (UTC)": lambda line: moment(line["at"]),
            "attempt": lambda line: plain(line["attempt"]),
            "what": lambda line: plain(line["level"] or line["kind"]),
            "text": lambda line: plain(line["text"]),
        },
        "Nothing happened yet.",
    )


def log_line(line: JsonObject) -> str:
    """One line of a log that is followed."""
    what = plain(line["level"] or line["kind"])
    return f"{moment(line['at'])}  {plain(line['attempt'])}  {what}  {plain(line['text'])}"
