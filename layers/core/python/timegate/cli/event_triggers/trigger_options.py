"""Options that say what an event trigger waits for, and what it starts."""

from typing import Annotated, Any

import typer

from timegate.cli.completing.stage_names import complete_dags, complete_jobs
from timegate.cli.completing.words_of_jobs import complete_tags
from timegate.cli.options.job_options import given
from timegate.cli.options.webhook_options import secret_ref
from timegate.cli.terminal.values import document_option, present_json, tags
from timegate.client.calling import job_reference
from timegate.domain.event_triggers.event_trigger import HookScheme
from timegate.value_classes import dataclass

_STARTS = "What it starts (one of)"
_HOOK = "A web hook of its own"
_JSON = "JSON|@FILE|-"


@dataclass(frozen=True, kw_only=True, slots=True)
class StartsOptions:
    """Work that a matching event starts."""

    job: Annotated[
        str | None,
        typer.Option(
            metavar="JOB",
            autocompletion=complete_jobs,
            help="Trigger it, by id or key.",
            rich_help_panel=_STARTS,
        ),
    ] = None
    dag: Annotated[
        str | None,
        typer.Option(
            metavar="DAG_ID",
            autocompletion=complete_dags,
            help="Start a run of it.",
            rich_help_panel=_STARTS,
        ),
    ] = None
    send: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar=_JSON,
            help='Give it this, with {"$ref": "event.data.id"}; the event by default.',
        ),
    ] = None
    no_payload: Annotated[bool, typer.Option("--no-payload", help="Give the job no payload.")] = (
        False
    )
    merge: Annotated[
        Any,
        typer.Option(
            parser=present_json, metavar=_JSON, help="Merge this into the job's payload instead."
        ),
    ] = None

    def as_json(self) -> dict[str, object] | None:
        """Return the work in the API's form; ``None``: nothing is said."""
        if self.job is None and self.dag is None:
            if self.send is not None or self.merge is not None or self.no_payload:
                message = "--send, --merge and --no-payload go with --job or --dag."
                raise typer.BadParameter(message)
            return None
        if self.job is not None and self.dag is not None:
            message = "One of --job and --dag says what it starts."
            raise typer.BadParameter(message)
        if self.dag is not None:
            if self.merge is not None or self.no_payload:
                message = "--merge and --no-payload go with --job."
                raise typer.BadParameter(message)
            return given({"type": "dag_run", "dag_id": self.dag, "parameters": self.send})
        return {"type": "job", "job_id": job_reference(self.job or ""), **self._sent_on()}

    def _sent_on(self) -> dict[str, object]:
        if self.no_payload:
            if self.send is not None or self.merge is not None:
                message = "--no-payload goes without --send and --merge."
                raise typer.BadParameter(message)
            return {"payload": None}
        return given({"payload": self.send, "payload_patch": self.merge})


@dataclass(frozen=True, kw_only=True, slots=True)
class EventTriggerOptions:
    """Pattern, web hook and words of an event trigger."""

    pattern: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar=_JSON,
            help="Match events as rules of EventBridge do; every event by default.",
        ),
    ] = None
    hook: Annotated[
        HookScheme | None,
        typer.Option(help="Give it an address for requests signed so.", rich_help_panel=_HOOK),
    ] = None
    secret: Annotated[
        str | None,
        typer.Option(
            metavar="ARN|/NAME[#KEY]",
            help="Name the place of the sender's key.",
            rich_help_panel=_HOOK,
        ),
    ] = None
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Describe it for people.")
    ] = None
    tag: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE", autocompletion=complete_tags, help="Tag it; may be repeated."
        ),
    ] = None
    file: Annotated[
        Any, document_option("--file", "-f", help="Read all of it, as JSON or YAML.")
    ] = None

    def as_json(self, starts: dict[str, object] | None) -> Any:  # noqa: ANN401 - any JSON
        """Return the trigger in the API's form."""
        said = given(
            {
                "pattern": self.pattern,
                "starts": starts,
                "hook": self._hook(),
                "description": self.description,
                "tags": tags(self.tag),
            }
        )
        if self.file is None:
            return said
        if said:
            message = "it is the whole trigger; no other option about it goes with it."
            raise typer.BadParameter(message, param_hint="'--file'")
        return self.file

    def _hook(self) -> dict[str, object] | None:
        if (self.hook is None) != (self.secret is None):
            message = "--hook and --secret go together."
            raise typer.BadParameter(message)
        if self.hook is None or self.secret is None:
            return None
        return {"scheme": self.hook.value, "secret": secret_ref(self.secret)}
