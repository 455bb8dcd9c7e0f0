"""``timegate freezes``: for a while, nothing of a tenant, a tag or a job starts."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_freezes, complete_jobs
from timegate.cli.completing.words_of_jobs import complete_tags
from timegate.cli.options.job_options import given
from timegate.cli.restrictions.restriction_tables import freeze_details, freeze_table
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped, option_group
from timegate.cli.terminal.session import Session, SessionOptions, opened, surroundings
from timegate.cli.terminal.values import instant_option, seconds_option
from timegate.client import JsonObject
from timegate.client.calling import job_reference
from timegate.domain.jobs.job import JobStatus
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.values.instants import rfc3339, to_milliseconds
from timegate.value_classes import dataclass

#: A freeze means these; the others run no more.
_MAY_RUN = {JobStatus.ACTIVE, JobStatus.PAUSED}

freezes = typer.Typer(no_args_is_help=True, help="Let nothing start for a while.")

FreezeId = Annotated[str, typer.Argument(metavar="FREEZE_ID", autocompletion=complete_freezes)]
_END = "Until when (one of)"


@option_group("What (one of)")
class ScopeOptions:
    """Options that select the jobs of a freeze."""

    everything: Annotated[bool, typer.Option("--everything", help="Freeze every job.")] = False
    tag: Annotated[
        str | None,
        typer.Option(
            metavar="KEY[=VALUE]", autocompletion=complete_tags, help="Freeze jobs with this tag."
        ),
    ] = None
    job: Annotated[
        str | None,
        typer.Option(metavar="JOB_ID", autocompletion=complete_jobs, help="Freeze one job."),
    ] = None

    def as_json(self) -> dict[str, object]:
        """Return the scope in the API's form."""
        said = [self.everything, self.tag is not None, self.job is not None]
        if said.count(True) != 1:
            message = "Exactly one of --everything, --tag and --job says what."
            raise typer.BadParameter(message)
        if self.tag is not None:
            key, equals, value = self.tag.partition("=")
            return {"kind": "tag", "key": key, "value": value if equals else None}
        if self.everything:
            return {"kind": "tenant"}
        return {"kind": "job", "job_id": job_reference(self.job or "")}


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanOptions:
    """From when to when."""

    until: Annotated[datetime | None, instant_option(help="End then.", rich_help_panel=_END)] = None
    lasting: Annotated[
        float | None,
        seconds_option("--for", help="End so long after its start.", rich_help_panel=_END),
    ] = None
    start: Annotated[
        datetime | None, instant_option("--from", help="Begin then; by default now.")
    ] = None

    def as_json(self, now: datetime) -> dict[str, object]:
        """Return the span in the API's form; one without a beginning begins at ``now``."""
        if (self.until is None) == (self.lasting is None):
            message = "Exactly one of --until and --for says until when."
            raise typer.BadParameter(message)
        end = self.until
        if self.lasting is not None:
            end = (self.start or now) + timedelta(seconds=self.lasting)
        return given(
            {"starts_at": self.start and rfc3339(self.start), "ends_at": end and rfc3339(end)}
        )


@freezes.command("create")
@grouped
def create(
    ctx: typer.Context,
    scope: ScopeOptions,
    span: SpanOptions,
    sure: YesOption,
    session: SessionOptions,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the jobs that are meant; freeze none.")
    ] = False,
    thaw: Annotated[
        ThawPolicy | None,
        typer.Option(
            help="Choose what runs then of what it held back; by default, as the job says."
        ),
    ] = None,
    reason: Annotated[str | None, typer.Option(metavar="TEXT", help="Say why, for people.")] = None,
) -> None:
    """Let nothing start for a while.

    timegate freezes create --tag team=billing --for 2h --thaw latest --reason migration
    """
    now = to_milliseconds(surroundings(ctx).now())
    body: Any = given(
        {"scope": scope.as_json(), **span.as_json(now), "thaw": thaw, "reason": reason},
    )
    with opened(ctx, session) as opening:
        if dry_run:
            opening.show({"dry_run": True, **_meant(opening, body["scope"])}, _count)
            return
        sure.agree(lambda: f"Let {_count(_meant(opening, body['scope']))} start nothing?")
        opening.show(opening.client.create_freeze(body), freeze_details)


def _meant(opening: Session, scope: dict[str, Any]) -> JsonObject:
    """Count the jobs that a freeze holds back, of those that may still run."""
    match scope["kind"]:
        case "job":
            jobs: Iterable[JsonObject] = [opening.client.get_job(scope["job_id"])]
        case "tag" if scope["value"] is not None:
            tag = [f"{scope['key']}:{scope['value']}"]
            jobs = opening.client.list_jobs.iterate(limit=100, tag=tag)
        case _:
            jobs = opening.client.list_jobs.iterate(limit=100)
    key = scope.get("key")
    meant = [each for each in jobs if key is None or key in each["tags"]]
    return {"jobs": sum(each["status"] in _MAY_RUN for each in meant)}


def _count(found: JsonObject) -> str:
    jobs = "1 job" if found["jobs"] == 1 else f"{found['jobs']} jobs"
    return f"{jobs}; nothing was changed." if "dry_run" in found else jobs


@freezes.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    unended: Annotated[
        bool, typer.Option("--unended", help="List only those that have not ended.")
    ] = False,
) -> None:
    """List freezes, the last to start first."""
    with opened(ctx, session) as opening:
        opening.show(page.read(opening.client.list_freezes, unended=unended), freeze_table)


@freezes.command("get")
@grouped
def get(ctx: typer.Context, freeze_id: FreezeId, session: SessionOptions) -> None:
    """Show a freeze."""
    with opened(ctx, session) as opening:
        opening.show(opening.client.get_freeze(freeze_id), freeze_details)


@freezes.command("lift")
@grouped
def lift(
    ctx: typer.Context, freeze_id: FreezeId, sure: EndOptions, session: SessionOptions
) -> None:
    """End a freeze now."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_freeze(freeze_id),
            freeze_details,
            lambda freeze: f"Lift the freeze {freeze['freeze_id']}?",
        ):
            opening.show(opening.client.lift_freeze(freeze_id), freeze_details)
