"""Options of a run that is triggered by hand."""

from datetime import datetime
from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_runs
from timegate.cli.completing.words_of_jobs import complete_tags
from timegate.cli.options.job_options import CollapseOptions, given
from timegate.cli.terminal.values import (
    instant_option,
    key_option,
    present_json,
    seconds_option,
    tags,
)
from timegate.domain.jobs.demands import Priority
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class TriggerOptions:
    """Options of one run; absent ones leave it to its job."""

    payload: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE|-",
            help="Give it this payload instead of the job's.",
        ),
    ] = None
    no_payload: Annotated[bool, typer.Option("--no-payload", help="Give it none.")] = False
    merge: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE|-",
            help="Merge this object into the job's payload; null takes a member away.",
        ),
    ] = None
    like: Annotated[
        str | None,
        typer.Option(
            metavar="RUN_ID",
            autocompletion=complete_runs,
            help="Take payload, priority, tags and key of this run of it, however that ended.",
        ),
    ] = None
    at: Annotated[datetime | None, instant_option(help="Run it then, not now.")] = None
    delay: Annotated[float | None, seconds_option(help="Run it after so long, not now.")] = None
    expires_after: Annotated[
        float | None, seconds_option(help="Skip it unless it starts so soon after that.")
    ] = None
    priority: Annotated[
        Priority | None, typer.Option(help="Prefer it so, instead of as the job's.")
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", autocompletion=complete_tags, help="Tag the run; may be repeated."
        ),
    ] = None
    collapse_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Let it collapse with triggers of the same key alone."),
    ] = None
    no_collapse: Annotated[
        bool, typer.Option("--no-collapse", help="Make it a run of its own, whatever its job says.")
    ] = False
    concurrency_key: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Let it take the slots of this key among its job's."),
    ] = None
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key make no second run.")
    ] = None

    def as_json(self, collapse: CollapseOptions) -> dict[str, Any] | None:
        """Return the request in the API's form; ``None``: it says nothing."""
        request: dict[str, Any] = given(
            {
                "payload": self.payload,
                "payload_patch": self.merge,
                "like_run_id": self.like,
                "at": None if self.at is None else rfc3339(self.at),
                "delay_seconds": self.delay,
                "expires_after_seconds": self.expires_after,
                "priority": None if self.priority is None else self.priority.value,
                "collapse_key": self.collapse_key,
                "concurrency_key": self.concurrency_key,
                "tags": tags(self.tag),
            }
        )
        if self.no_payload:
            request["payload"] = None
        if self.no_collapse:
            request["collapse"] = None
        return {**collapse.as_json(), **request} or None
