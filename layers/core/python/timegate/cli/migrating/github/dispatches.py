"""From a workflow of GitHub Actions to the web hook that starts it.

Source: GitHub's reference of its REST API, "Create a workflow dispatch event".
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import quote

import typer

from timegate.cli.migrating.entries import Note
from timegate.cli.migrating.github.workflows import Workflow
from timegate.cli.options.webhook_options import secret_ref
from timegate.value_classes import dataclass

_REPOSITORY = re.compile(r"[A-Za-z0-9_.-]{1,100}+/[A-Za-z0-9_.-]{1,100}+")
#: A workflow that asks which event, or which of its schedules, started it.
_ASKS = re.compile(
    r"github\.event\.schedule\b|event_name\s*+[!=]=\s*+['\"]schedule['\"]|\bGITHUB_EVENT_NAME\b"
)
_HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_NO_DISPATCH = Note(
    code="workflow_dispatch",
    detail="GitHub starts it on request only with workflow_dispatch in its on: add it there.",
)
_NO_TOKEN = Note(
    code="token",
    detail="GitHub asks for a token: name the secret that holds it by --token-secret.",
)
_ASKS_FOR_EVENT = Note(
    code="event",
    detail="It asks for its event: that is workflow_dispatch here, without github.event.schedule."
    " Give an input in its place.",
)


def _repository(text: str) -> str:
    if _REPOSITORY.fullmatch(text) is None:
        message = f"{text!r} is no repository: write OWNER/NAME."
        raise typer.BadParameter(message)
    return text


@dataclass(frozen=True, kw_only=True, slots=True)
class DispatchOptions:
    """Requests that start workflows."""

    repository: Annotated[
        str,
        typer.Option(
            parser=_repository, metavar="OWNER/NAME", help="Start workflows of this repository."
        ),
    ]
    ref: Annotated[
        str, typer.Option(metavar="BRANCH", help="Run on this branch: the repository's default.")
    ] = "main"
    token_secret: Annotated[
        Any,
        typer.Option(
            parser=secret_ref,
            metavar="ARN|/NAME[#KEY]",
            help="Take the Authorization header, Bearer and a token, from this secret or"
            " parameter.",
        ),
    ] = None
    api_url: Annotated[
        str,
        typer.Option(metavar="URL", help="Ask this API: https://HOST/api/v3 of GitHub Enterprise."),
    ] = "https://api.github.com"


def fields_of_dispatch(
    workflow: Workflow, file: str, what: DispatchOptions
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Map a workflow to ``action`` and ``payload``; ``file``: the name of its file."""
    path = f"repos/{what.repository}/actions/workflows/{quote(file, safe='')}/dispatches"
    action: dict[str, Any] = {
        "type": "webhook",
        "url": f"{what.api_url.rstrip('/')}/{path}",
        "headers": dict(_HEADERS),
    }
    if what.token_secret is not None:
        action["secret_headers"] = {"Authorization": what.token_secret}
    return {"action": action, "payload": {"ref": what.ref}}, tuple(_notes(workflow, what))


def _notes(workflow: Workflow, what: DispatchOptions) -> Iterator[Note]:
    if what.token_secret is None:
        yield _NO_TOKEN
    if "workflow_dispatch" not in workflow.events:
        yield _NO_DISPATCH
    if wanted := list(_wanted(workflow.events.get("workflow_dispatch"))):
        detail = f"GitHub refuses a start without {', '.join(wanted)}: add inputs to the payload."
        yield Note(code="required_inputs", detail=detail)
    if _ASKS.search(workflow.text):
        yield _ASKS_FOR_EVENT


def _wanted(dispatch: object) -> Iterator[str]:
    """Yield the inputs that a request must give."""
    inputs = dispatch.get("inputs") if isinstance(dispatch, dict) else None
    for name, said in inputs.items() if isinstance(inputs, dict) else ():
        if isinstance(said, dict) and said.get("required") is True and "default" not in said:
            yield str(name)
