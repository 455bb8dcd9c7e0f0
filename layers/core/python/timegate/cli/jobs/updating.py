"""``timegate jobs update``: members of a job's fields, from options or a file."""

from typing import Annotated, Any, get_args, get_type_hints

import typer

from timegate.cli.completing.known_words import complete_job_fields
from timegate.cli.completing.stage_names import complete_jobs
from timegate.cli.jobs.definition_options import DefinitionOptions
from timegate.cli.naming.named_followers import with_ids
from timegate.cli.previews.preview_options import PreviewOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import Session, SessionOptions, opened
from timegate.cli.terminal.tables import job_details
from timegate.cli.terminal.values import document_option
from timegate.client import JsonObject
from timegate.client.schemas import JobPatch
from timegate.value_classes import dataclass

updates = typer.Typer()


@dataclass(frozen=True, kw_only=True, slots=True)
class ChangeOptions:
    """Sources of a change beside the options that define a job."""

    file: Annotated[
        Any, document_option("--file", "-f", help="Read the fields to replace, as JSON or YAML.")
    ] = None
    clear: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD[.MEMBER]",
            autocompletion=complete_job_fields,
            help="Take the value of a field away, or a member of it: payload, tags.team or"
            " schedule.ends_at. May be repeated.",
        ),
    ] = None
    version: Annotated[
        int | None,
        typer.Option(
            "--if-version", metavar="N", help="Change it only if it still has this version."
        ),
    ] = None


@updates.command("update")
@grouped
def update(
    ctx: typer.Context,
    job_id: Annotated[str, typer.Argument(metavar="JOB_ID", autocompletion=complete_jobs)],
    definition: DefinitionOptions,
    source: ChangeOptions,
    asked: PreviewOptions,
    session: SessionOptions,
) -> None:
    """Change a job, or show with --preview which instants that would change.

    Members that no option names stay as they are. A file replaces each of its fields as a whole.

    timegate jobs update JOB_ID --cron '0 7 * * *' --max-attempts 5 --clear schedule.ends_at
    """
    if not asked.preview and asked != PreviewOptions():
        message = "--days, --limit, --resumed and --filled go with --preview."
        raise typer.BadParameter(message)
    has_options = bool(source.clear) or not definition.are_absent
    if has_options == (source.file is not None):
        message = "options say what changes, or else --file does."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        if not has_options:
            replaced = with_ids(source.file, opening.client)
            _apply(opening, job_id, replaced, source.version, asked)
            return
        stored = opening.client.get_job(job_id)
        change = with_ids(definition.as_change(stored), opening.client)
        # A change in between is refused: the stored members that stay would undo it.
        version = stored["version"] if source.version is None else source.version
        patch: Any = _cleared(change, stored, source.clear)
        _apply(opening, stored["job_id"], patch, version, asked)


def _apply(
    opening: Session, job_id: str, patch: JobPatch, version: int | None, asked: PreviewOptions
) -> None:
    if not asked.preview:
        opening.show(opening.client.update_job(job_id, patch, version=version), job_details)
        return
    # Tables of previews are loaded for those alone.
    from timegate.cli.previews.edit_previews import edit_details  # noqa: PLC0415

    found = opening.client.preview_job(
        job_id,
        patch,
        days=asked.days,
        limit=asked.limit,
        resumed=asked.resumed,
        filled=asked.filled,
        version=version,
    )
    opening.show(found, edit_details)


def _cleared(change: JsonObject, stored: JsonObject, paths: list[str] | None) -> JsonObject:
    """Return the change with these fields emptied, and without these members."""
    patch = dict(change)
    kinds = get_type_hints(JobPatch) if paths else {}
    for path in paths or ():
        name, _, member = path.partition(".")
        if name not in kinds:
            raise _unknown(path, "a job has no such field.")
        whole = patch.get(name, stored[name])
        if not member:
            patch[name] = _empty(kinds[name], whole)
        elif isinstance(whole, dict) and member in whole:
            patch[name] = {each: value for each, value in whole.items() if each != member}
        else:
            raise _unknown(path, f"{name} has no such member.")
    return patch


def _empty(kind: Any, value: Any) -> Any:  # noqa: ANN401 - a type, and any JSON
    """Return null where the field may be null, otherwise the empty value of its own type."""
    return None if kind is Any or type(None) in get_args(kind) else type(value)()


def _unknown(path: str, why: str) -> typer.BadParameter:
    return typer.BadParameter(f"{path!r}: {why}", param_hint="'--clear'")
