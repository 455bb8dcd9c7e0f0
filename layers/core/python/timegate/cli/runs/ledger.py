"""``timegate jobs ledger|explain``: what became of a job's instants, and why."""

from datetime import datetime
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.showing.grids import Column, details, listing
from timegate.cli.showing.instants import moment, zoned
from timegate.cli.showing.timelines import timeline
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.moments import moment_option, past_instant
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.tables import state
from timegate.cli.terminal.wording import compact_json, plain
from timegate.client import JsonObject, TimegateClient
from timegate.domain.values.instants import MILLISECOND, rfc3339
from timegate.value_classes import dataclass

ledgers = typer.Typer()

JobId = Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)]


@dataclass(frozen=True, kw_only=True, slots=True)
class LedgerPageOptions(PageOptions):
    """Page of a range."""

    limit: Annotated[
        int | None, typer.Option(metavar="N", help="Show so many rows of a page, 1 to 500.")
    ] = None


@ledgers.command("ledger")
@grouped
def show_ledger(
    ctx: typer.Context,
    job_id: JobId,
    start: Annotated[
        str, moment_option("--from", help="Begin then: yesterday, 22:00, 6h, an instant.")
    ],
    end: Annotated[
        str, moment_option("--to", help="End then: now, or as --from; at most 366 days later.")
    ],
    page: LedgerPageOptions,
    session: SessionOptions,
) -> None:
    """Show what became of every instant in a range, earliest first."""
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        first, last = (rfc3339(past_instant(text, now)) for text in (start, end))
        found = page.read(opening.client.read_ledger, job_id, start=first, end=last)
        opening.show(found, _ledger)


@ledgers.command("explain")
@grouped
def explain(
    ctx: typer.Context,
    job_id: JobId,
    session: SessionOptions,
    at: Annotated[
        str | None,
        moment_option(
            "--at",
            help="Name the instant, past or future; 02:30 is the last one. By default the latest.",
        ),
    ] = None,
    filled: Annotated[
        bool, typer.Option("--filled", help="Show the payload as the run of the instant sends it.")
    ] = False,
) -> None:
    """Say why a job ran at an instant, or why it did not.

    Without an instant, it is the schedule's latest one, or else its next.

    timegate jobs explain JOB_ID --at 'yesterday 02:30'
    """
    with opened(ctx, session) as opening:
        now = opening.surroundings.now()
        if at is not None:
            instant = rfc3339(past_instant(at, now))
            answer = opening.client.explain_instant(job_id, at=instant, filled=filled)
            opening.show(answer, _explanation)
            return
        opening.show(_of_latest(opening.client, job_id, now, filled=filled), _explanation)


def _of_latest(client: TimegateClient, job_id: str, now: datetime, *, filled: bool) -> JsonObject:
    """Explain the latest instant of the schedule, or its next; a manual job's answer is of now."""
    # Neighbours are strictly before: an instant that is now is the latest.
    answer = client.explain_instant(job_id, at=rfc3339(now + MILLISECOND), filled=filled)
    nearest = answer["nearest"]["before"] or answer["nearest"]["after"]
    if nearest is None:
        return answer
    return client.explain_instant(job_id, at=nearest, filled=filled)


def _ledger(page: JsonObject) -> RenderableType:
    columns: dict[str, Column] = {
        "instant (UTC)": _when,
        "count": lambda entry: plain(entry.get("count", 1)),
        "state": _what,
        "reason": lambda entry: plain(entry.get("reason") or entry.get("code")),
        "run_id": lambda entry: plain(entry.get("run_id")),
    }
    return listing(page, columns, "No instants on record.")


def _explanation(answer: JsonObject) -> RenderableType:
    record, nearest = answer["record"], answer["nearest"]
    facts = {"instant": zoned(answer["instant"]), "verdict": plain(answer["verdict"])}
    if record is not None:
        facts |= {"record": _record(record)}
    if record is not None and record["kind"] == "run":
        facts |= {"since due": timeline(record)}
    facts |= {
        "before it": zoned(nearest["before"]),
        "after it": zoned(nearest["after"]),
    }
    # A stage of the release before has no payload here.
    if answer.get("payload") is not None:
        facts |= {"payload": compact_json(answer["payload"])}
    return Group(plain(answer["explanation"]), "", details(facts))


def _record(entry: JsonObject) -> str:
    """A record in a few words."""
    if entry["kind"] == "gap":
        return f"gap of {plain(entry['count'])}, {_when(entry)}"
    if entry["kind"] == "damaged":
        return f"{plain(entry['code'])}, {_when(entry)}"
    if entry["kind"] == "run":
        attempt = f"attempt {plain(entry['attempt'])}, {plain(entry['state'])}"
        return f"{plain(entry['run_id'])}, {attempt}"
    return f"{plain(entry['kind'])}, {_when(entry)}"


def _what(entry: JsonObject) -> Text:
    return state(entry["state"] if entry["kind"] == "run" else entry["kind"])


def _when(entry: JsonObject) -> str:
    """Name the instants of an entry, of whatever kind."""
    if "instant" in entry:
        return moment(entry["instant"])
    first, last = entry.get("first"), entry.get("last")
    if first is None:
        return plain(None) if last is None else f"up to {moment(last)}"
    return moment(first) if first == last else f"{moment(first)} to {moment(last)}"
