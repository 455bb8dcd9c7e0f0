"""The options that say which dead letters are meant."""

from datetime import datetime
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.completing.words_of_jobs import complete_errors
from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.cli.terminal.values import present_json
from timegate.client.calling import job_filter
from timegate.domain.runs.run import Reason
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LetterOptions:
    """Options that select dead letters; each criterion that is given must hold."""

    job: Annotated[
        str | None,
        typer.Option(
            "--job", metavar="JOB_ID", autocompletion=complete_jobs, help="Take runs of this job."
        ),
    ] = None
    reason: Annotated[Reason | None, typer.Option(help="Take those given up for this reason.")] = (
        None
    )
    error_code: Annotated[
        str | None,
        typer.Option(
            "--error-code",
            metavar="CODE",
            autocompletion=complete_errors,
            help="Take only runs whose last attempt had this error.",
        ),
    ] = None
    start: Annotated[
        str | None, moment_option("--from", help="Take those given up then, or later: 22:00, 6h.")
    ] = None
    end: Annotated[
        str | None, moment_option("--to", help="Take those given up then, or earlier.")
    ] = None

    def as_json(self, now: datetime) -> dict[str, Any]:
        """Return the criteria in the form of the API's filter; ``now`` is aware."""
        fields: dict[str, Any] = {
            "job_id": job_filter(self.job),
            "reason": self.reason,
            "error_code": self.error_code,
            "from": moment_text(self.start, now),
            "to": moment_text(self.end, now),
        }
        return {name: value for name, value in fields.items() if value is not None}

    def as_query(self, now: datetime) -> dict[str, Any]:
        """Return the criteria in the form of the client's listing; ``now`` is aware."""
        named = {"from": "start", "to": "end"}
        return {named.get(name, name): value for name, value in self.as_json(now).items()}


@dataclass(frozen=True, kw_only=True, slots=True)
class SettleOptions:
    """Options of either way of settling."""

    note: Annotated[str | None, typer.Option(metavar="TEXT", help="Keep this with the record.")] = (
        None
    )
    everything: Annotated[bool, typer.Option("--all", help="Take every dead letter there is.")] = (
        False
    )
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show which are meant, and do nothing.")
    ] = False


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectionOptions:
    """Corrections of a run that is tried again."""

    payload: Annotated[
        Any,
        typer.Option(parser=present_json, metavar="JSON|@FILE|-", help="Give them this payload."),
    ] = None
    no_payload: Annotated[bool, typer.Option("--no-payload", help="Give them none.")] = False
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Begin anew, not at their last checkpoints.")
    ] = False

    def as_json(self) -> dict[str, Any]:
        """Return the corrections in the API's form."""
        request: dict[str, Any] = {"fresh": True} if self.fresh else {}
        if self.payload is not None or self.no_payload:
            request["payload"] = self.payload
        return request


def chosen(
    run_ids: list[str] | None, letters: LetterOptions, *, everything: bool, now: datetime
) -> dict[str, Any]:
    """The filter of a request; raises ``BadParameter`` unless it is said in one way."""
    ways: list[dict[str, Any]] = [
        {"run_ids": run_ids} if run_ids else {},
        letters.as_json(now),
        {"all": True} if everything else {},
    ]
    given = [way for way in ways if way]
    if len(given) != 1:
        message = "say which: by their ids, by criteria such as --job, or --all."
        raise typer.BadParameter(message)
    return given[0]
