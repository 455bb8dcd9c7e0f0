"""``timegate admin export`` and ``import``: tenants of one stage, stored in another."""

from pathlib import Path
from typing import Annotated

import typer

from timegate.cli.admin.checkout import StageOption, in_checkout
from timegate.cli.completing.stage_names import complete_jobs, complete_tenants
from timegate.cli.terminal.failures import EXIT_DIFFERENT
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show, surroundings
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.tenant import tenant_id
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ExportedOptions:
    """Records that are exported."""

    tenant: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            autocompletion=complete_tenants,
            help="Export this tenant only; all of them by default.",
        ),
    ] = None
    history: Annotated[
        bool,
        typer.Option(
            "--history", help="Export ended runs, gaps of the ledger and the audit trail as well."
        ),
    ] = False
    job: Annotated[
        list[str] | None,
        typer.Option(
            metavar="JOB_ID",
            autocompletion=complete_jobs,
            help="Export this job alone; may be repeated.",
        ),
    ] = None
    jobs_table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Read jobs from this table, restored from a backup."),
    ] = None
    runs_table: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Read runs from this table, restored from a backup."),
    ] = None
    bucket: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Read texts from this bucket of a stage whose stacks are gone; name both tables.",
        ),
    ] = None


@grouped
def export_command(
    ctx: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Write this file; FILE.part until it is whole.")
    ],
    stage: StageOption,
    what: ExportedOptions,
    output: OutputOptions,
) -> None:
    """Export tenants of a stage to a file: jobs, DAGs, calendars, freezes, rules and triggers.

    Secrets are in it by their names only. Each line has a checksum. An export that was cut short
    goes on where it ended when the command is repeated.
    """
    with in_checkout():
        from infra.admin.moving import EXPORT_RIGHTS, export_stage, restored  # noqa: PLC0415
        from infra.admin.stage_access import StoreNames, connected  # noqa: PLC0415 - of the checkout

        stores: StoreNames | None = None
        if what.bucket is not None:
            if what.jobs_table is None or what.runs_table is None:
                raise InvalidInput("bucket", "incomplete", "Name both tables as well.")
            stores = StoreNames(
                jobs_table=what.jobs_table, runs_table=what.runs_table, blob_bucket=what.bucket
            )
        with connected(stage, rights=EXPORT_RIGHTS, stores=stores) as access:
            done = export_stage(
                restored(access, what.jobs_table, what.runs_table),
                file,
                tenant=tenant_id(what.tenant) if what.tenant is not None else None,
                history=what.history,
                jobs=what.job or [],
                now=surroundings(ctx).now(),
            ).data()
    show(done, _told, output=output.format)


@grouped
def import_command(
    ctx: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="FILE", exists=True, help="Read this file.")],
    stage: StageOption,
    output: OutputOptions,
) -> None:
    """Import tenants into a stage from a file that export wrote; jobs fire there from then on.

    Nothing that is there is replaced, so the command may be repeated after any failure. Exits with
    5 where other records have keys of the file's.
    """
    with in_checkout():
        from infra.admin.moving import IMPORT_RIGHTS, import_stage  # noqa: PLC0415
        from infra.admin.stage_access import connected  # noqa: PLC0415 - of the checkout

        with connected(stage, rights=IMPORT_RIGHTS) as access:
            done = import_stage(access, file, now=surroundings(ctx).now()).data()
    show(done, _told, output=output.format)
    if done["different"]:
        raise typer.Exit(EXIT_DIFFERENT)


def _told(found: JsonObject) -> str:
    """Every count in a line, for people."""
    lines = [
        f"{name}: {', '.join(f'{number} {kind}' for kind, number in each.items()) or 'nothing'}"
        for name in ("records", "stored")
        if (each := found.get(name)) is not None
    ]
    lines += [
        f"{name}: {plain(str(found[name]))}" for name in ("present", "different") if name in found
    ]
    for name, meaning in _NOTES.items():
        lines += [f"{meaning}: {plain(str(each))}" for each in found.get(name) or ()]
    return "\n".join(lines)


_NOTES = {
    "unknown": "left out, unknown or unreadable to this release",
    "lost": "left out, its text has expired",
    "differing": "left as it is, differs",
    "erased": "left out, this stage has erased",
    "uncounted": "quotas not counted, repeat timegate admin quotas --repair for",
}
