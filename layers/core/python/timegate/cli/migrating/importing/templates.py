"""Actions that commands become: templates, whose marks stand for what was read."""

import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import quote

import typer

from timegate.cli.completing.stage_names import complete_pools
from timegate.cli.completing.words_of_jobs import complete_handlers
from timegate.cli.migrating.entries import ScheduleEntry
from timegate.cli.terminal.values import present_json
from timegate.domain.actions.pool import check_handler_name, check_pool_name
from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass

_MARK = re.compile(r"\{([a-z]{1,20}+)\}")
#: The handler of workers that run whatever command they are given.
_HANDLER = "run"
_CRONTAB_PAYLOAD: Mapping[str, Any] = {"command": "{command}", "environment": "{environment}"}


@dataclass(frozen=True, kw_only=True, slots=True)
class ImportedActionOptions:
    """Actions that commands become."""

    pool: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_pools,
            help="Give each command to workers of this pool.",
        ),
    ] = None
    handler: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_handlers,
            help="Call this handler of the workers; by default run, or the task.",
        ),
    ] = None
    action_url: Annotated[
        str | None, typer.Option(metavar="URL", help="Give each command to this web hook.")
    ] = None
    action: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE",
            help="Take any action; {name} and other marks stand for what was read.",
        ),
    ] = None
    payload: Annotated[
        Any,
        typer.Option(
            parser=present_json,
            metavar="JSON|@FILE",
            help="Give this as payload, written as --action; by default command and environment.",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Marks:
    """Texts that marks stand for, and values that stand alone in place of one."""

    words: Mapping[str, str]
    values: Mapping[str, Any]


def is_given(what: ImportedActionOptions) -> bool:
    """Tell if options name an action."""
    given = (what.pool, what.handler, what.action_url, what.action)
    return any(each is not None for each in given)


def template_of(what: ImportedActionOptions, *, handler: str = _HANDLER) -> dict[str, Any]:
    """Return the one action that options give; raises ``typer.BadParameter`` for none or two.

    ``handler``: of a pool without one; it may be a mark.
    """
    given = [each for each in (what.pool, what.action_url, what.action) if each is not None]
    if len(given) != 1:
        message = "Say what runs, by one of --pool, --action-url and --action."
        raise typer.BadParameter(message)
    if what.handler is not None and what.pool is None:
        message = "--handler is one of workers: name their --pool."
        raise typer.BadParameter(message)
    if what.pool is not None:
        return _offer(what.pool, what.handler, handler)
    if what.action_url is not None:
        return {"type": "webhook", "url": what.action_url}
    if not isinstance(what.action, dict) or "type" not in what.action:
        message = "--action is an object with a type, such as webhook, lambda, sqs or worker."
        raise typer.BadParameter(message)
    return what.action


def _offer(pool: str, handler: str | None, default: str) -> dict[str, Any]:
    try:
        check_pool_name(pool, "--pool")
        if handler is not None:
            check_handler_name(handler, "--handler")
    except InvalidInput as refused:
        message = f"{refused.field}: {refused.detail}"
        raise typer.BadParameter(message) from refused
    return {"type": "worker", "pool": pool, "handler": handler or default}


def action_of_command(
    entry: ScheduleEntry, action: Mapping[str, Any], payload: object | None
) -> dict[str, Any]:
    """Fill a template with a line of a crontab: the fields ``action`` and ``payload`` of a job.

    ``{command}``, ``{name}`` and ``{user}`` stand for text, ``{environment}`` for an object.
    """
    marks = Marks(
        words={"command": entry.command, "name": entry.name, "user": entry.user},
        values={"environment": dict(entry.environment)},
    )
    given = dict(_CRONTAB_PAYLOAD) if payload is None else payload
    return {"action": filled_action(action, marks), "payload": filled(given, marks)}


def filled_action(action: Mapping[str, Any], marks: Marks) -> dict[str, Any]:
    """Fill a template of an action.

    Within its address, text is percent-encoded, unless a mark is the whole address.
    """
    found: dict[str, Any] = filled(dict(action), marks)
    address = action.get("url")
    if isinstance(address, str) and not _MARK.fullmatch(address):
        # A blank, & or # of a command would end the value, or begin another one.
        found["url"] = _written(address, marks, escape=_encoded)
    return found


def filled(template: Any, marks: Marks) -> Any:  # noqa: ANN401 - any JSON
    """Fill the texts of a template; a mark that stands for no text or value stays."""
    if isinstance(template, dict):
        return {name: filled(value, marks) for name, value in template.items()}
    if isinstance(template, list):
        return [filled(value, marks) for value in template]
    if not isinstance(template, str):
        return template
    alone = _MARK.fullmatch(template)
    if alone is not None and alone[1] in marks.values:
        return marks.values[alone[1]]
    return _written(template, marks, escape=str)


def _written(template: str, marks: Marks, *, escape: Callable[[str], str]) -> str:
    def text(found: re.Match[str]) -> str:
        word = marks.words.get(found[1])
        return found[0] if word is None else escape(word)

    # At once: a command may hold such a mark itself.
    return _MARK.sub(text, template)


def _encoded(value: str) -> str:
    return quote(value, safe="")
