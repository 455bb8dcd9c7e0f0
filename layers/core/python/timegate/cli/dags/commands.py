"""``timegate dags``: jobs in an order, from files."""

from enum import StrEnum
from typing import Annotated

import typer

from timegate.cli.completing.stage_names import complete_dags, complete_dags_and_runs
from timegate.cli.dags.dag_tables import dag_details, dag_table, validation_details
from timegate.cli.dags.written_pictures import PictureOptions
from timegate.cli.naming.named_followers import with_ids
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.failures import EXIT_REFUSED, say_error
from timegate.cli.terminal.listing import PageOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import SessionOptions, opened
from timegate.cli.terminal.values import document_option, key_option
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject, TimegateClient
from timegate.client.errors import field_problems
from timegate.client.schemas import DagPatch, NewDag
from timegate.domain.dags.definition import DagStatus

dags = typer.Typer(no_args_is_help=True, help="Run jobs in an order: define, check and draw DAGs.")

DagId = Annotated[str, typer.Argument(metavar="DAG_ID", autocompletion=complete_dags)]
Whole = Annotated[NewDag, document_option("--file", "-f", help="Read the DAG, as JSON or YAML.")]
Changes = Annotated[
    DagPatch, document_option("--file", "-f", help="Read the fields to replace, as JSON or YAML.")
]
IfVersion = Annotated[
    int | None,
    typer.Option("--if-version", metavar="N", help="Change it only if it still has this version."),
]
OfVersion = Annotated[
    int | None,
    typer.Option(
        "--version", metavar="N", help="Show it as it was in this version; by default as it is."
    ),
]


class Language(StrEnum):
    """Languages of pictures."""

    MERMAID = "mermaid"
    DOT = "dot"


@dags.command("create")
@grouped
def create(
    ctx: typer.Context,
    file: Whole,
    session: SessionOptions,
    idempotency_key: Annotated[
        str | None, key_option(help="Let a repeated command with this key repeat nothing.")
    ] = None,
) -> None:
    """Create a DAG from a file.

    timegate dags create -f examples/dags/diamond.json
    """
    with opened(ctx, session) as opening:
        whole = with_ids(file, opening.client)
        created = opening.client.create_dag(whole, idempotency_key=idempotency_key)
        opening.show(created, dag_details)


@dags.command("show")
@grouped
def show(
    ctx: typer.Context, dag_id: DagId, session: SessionOptions, version: OfVersion = None
) -> None:
    """Show a DAG with its tasks."""
    with opened(ctx, session) as opening:
        client = opening.client
        shown = (
            client.get_dag(dag_id) if version is None else client.get_dag_version(dag_id, version)
        )
        opening.show(shown, dag_details)


@dags.command("list")
@grouped
def list_page(
    ctx: typer.Context,
    page: PageOptions,
    session: SessionOptions,
    status: Annotated[
        DagStatus | None, typer.Option(help="List those that stand so; by default the active ones.")
    ] = None,
) -> None:
    """List DAGs, newest first."""
    with opened(ctx, session) as opening:
        opening.show(page.read(opening.client.list_dags, status=status), dag_table)


@dags.command("versions")
@grouped
def versions(ctx: typer.Context, dag_id: DagId, page: PageOptions, session: SessionOptions) -> None:
    """List the versions of a DAG, the latest first."""
    with opened(ctx, session) as opening:
        opening.show(page.read(opening.client.list_dag_versions, dag_id), dag_table)


@dags.command("update")
@grouped
def update(
    ctx: typer.Context,
    dag_id: DagId,
    file: Changes,
    session: SessionOptions,
    version: IfVersion = None,
) -> None:
    """Replace fields of a DAG, as its next version; runs that have begun keep to theirs."""
    with opened(ctx, session) as opening:
        changes = with_ids(file, opening.client)
        opening.show(opening.client.update_dag(dag_id, changes, version=version), dag_details)


@dags.command("delete")
@grouped
def delete(
    ctx: typer.Context,
    dag_id: DagId,
    sure: EndOptions,
    session: SessionOptions,
    version: IfVersion = None,
) -> None:
    """Start nothing of it any more; its versions stay readable."""
    with opened(ctx, session) as opening:
        if sure.goes_on(
            opening,
            lambda: opening.client.get_dag(dag_id),
            dag_details,
            lambda dag: f"Delete the DAG {plain(dag['name'])} ({dag['dag_id']})?",
        ):
            opening.show(opening.client.delete_dag(dag_id, version=version), dag_details)


@dags.command("validate")
@grouped
def validate(
    ctx: typer.Context,
    session: SessionOptions,
    dag_id: Annotated[
        str | None, typer.Argument(metavar="[DAG_ID]", autocompletion=complete_dags)
    ] = None,
    file: Annotated[
        NewDag | None,
        document_option(
            "--file", "-f", help="Read a DAG, as JSON or YAML; with DAG_ID, changes to it."
        ),
    ] = None,
) -> None:
    """Say everything that is wrong with a DAG, and store nothing."""
    with opened(ctx, session) as opening:
        written = with_ids(file, opening.client)
        if dag_id is not None:
            found = opening.client.validate_dag(dag_id, written)
        elif file is not None:
            found = opening.client.validate_new_dag(written)
        else:
            message = "Name a DAG, or a file with -f."
            raise typer.BadParameter(message)
        opening.show(found, validation_details)
    if not found["valid"]:
        problems = field_problems(found["errors"])
        said = "1 field is" if len(problems) == 1 else f"{len(problems)} fields are"
        say_error("invalid_dag", f"{said} invalid.", problems)
        raise typer.Exit(EXIT_REFUSED)


@dags.command("graph")
@grouped
def graph(
    ctx: typer.Context,
    dag_id: Annotated[
        str, typer.Argument(metavar="DAG_ID|DAG_RUN_ID", autocompletion=complete_dags_and_runs)
    ],
    picture: PictureOptions,
    session: SessionOptions,
    language: Annotated[
        Language, typer.Option("--format", help="Draw in this language.")
    ] = Language.MERMAID,
    version: OfVersion = None,
    run: Annotated[
        bool, typer.Option("--run", help="Take the id for a run's, and draw its states.")
    ] = False,
) -> None:
    """Draw a DAG, or a run of one: as SVG, or for Mermaid or Graphviz.

    timegate dags graph DAG_ID --svg --to dag.svg
    """
    if run and version is not None:
        message = "A run keeps to its version: --version goes without --run."
        raise typer.BadParameter(message)
    with opened(ctx, session) as opening:
        client = opening.client
        if picture.is_svg:
            picture.write(_svg_of(client, dag_id, picture, version=version, is_run=run))
            return
        drawn: JsonObject
        if run:
            drawn = client.draw_dag_run(dag_id, language=language.value)
        else:
            drawn = client.draw_dag(dag_id, language=language.value, version=version)
        if opening.wants_data:
            opening.show(drawn, dag_details)
        else:
            picture.write(drawn["text"] or "")


def _svg_of(
    client: TimegateClient,
    dag_id: str,
    picture: PictureOptions,
    *,
    version: int | None,
    is_run: bool,
) -> str:
    if is_run:
        return client.draw_dag_run_picture(dag_id, scheme=picture.colours)
    return client.draw_dag_picture(dag_id, version=version, scheme=picture.colours)
