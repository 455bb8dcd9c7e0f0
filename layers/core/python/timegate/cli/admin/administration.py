"""``timegate admin keys``: API keys of the stage's administration."""

from collections.abc import Iterator
from contextlib import contextmanager
from secrets import token_bytes
from typing import TYPE_CHECKING, Annotated

import typer

from timegate.cli.admin.checkout import StageOption, in_checkout
from timegate.cli.tenants.key_options import SaveAs, kept_as_profile
from timegate.cli.tenants.key_tables import key_details, key_table, made_key_details
from timegate.cli.terminal.ending import EndOptions
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, surroundings
from timegate.client.access.profile_files import check_new_profile

if TYPE_CHECKING:
    from datetime import datetime

    from infra.admin.administration import AdministrationKeys
    from timegate.client import JsonObject
    from timegate.domain.tenants.api_key import ApiKey

keys = typer.Typer(
    no_args_is_help=True, help="Make, list and revoke API keys of the stage's administration."
)


@contextmanager
def _reached(stage: str) -> "Iterator[AdministrationKeys]":
    with in_checkout():
        from infra.admin import administration, stage_access  # noqa: PLC0415 - of the checkout

        with stage_access.connected(stage, rights=administration.RIGHTS) as access:
            yield administration.AdministrationKeys(access=access)


def _shown(key: "ApiKey", now: "datetime") -> "JsonObject":
    from infra.admin.administration import key_answer  # noqa: PLC0415 - of the checkout

    return key_answer(key, now=now)


def _api_url(stage: str) -> str:
    from infra.admin import administration  # noqa: PLC0415 - of the checkout

    return administration.api_url(stage)


@keys.command("create")
@grouped
def create(
    ctx: typer.Context,
    stage: StageOption,
    output: OutputOptions,
    key_name: Annotated[
        str, typer.Option(metavar="TEXT", help="Name the key for people: who gets it.")
    ] = "",
    save_as: SaveAs = None,
) -> None:
    """Make an API key that administers the stage, and show it once.

    Its scope is timegate/admin and no other; it ends in 365 days.

    timegate admin keys create --stage dev --save-as dev-admin
    """
    around = surroundings(ctx)
    if save_as is not None:
        check_new_profile(around.environ, save_as)
    with _reached(stage) as keys_of_stage:
        # Asked for before a key is made: a key that cannot be kept would be lost.
        url = _api_url(stage) if save_as is not None else ""
        made = keys_of_stage.make(key_name, lambda: token_bytes(32), now=around.now())
        shown: JsonObject = {**_shown(made.key, around.now()), "api_key": made.text}
        if save_as is not None:
            shown = kept_as_profile(shown, save_as, url, around.environ)
    output.show(shown, made_key_details)


@keys.command("list")
@grouped
def list_all(ctx: typer.Context, stage: StageOption, output: OutputOptions) -> None:
    """List API keys of the administration; ended ones for 30 days more."""
    now = surroundings(ctx).now()
    with _reached(stage) as keys_of_stage:
        items = [_shown(each, now) for each in keys_of_stage.on_record(now=now)]
    output.show({"items": items, "next_cursor": None}, key_table)


@keys.command("revoke")
@grouped
def revoke(
    ctx: typer.Context,
    key: Annotated[str, typer.Argument(metavar="KEY-ID", help="Name a key by its id.")],
    stage: StageOption,
    sure: EndOptions,
    output: OutputOptions,
) -> None:
    """Let an API key of the administration open nothing more, within ten seconds everywhere."""
    now = surroundings(ctx).now()
    with _reached(stage) as kept:
        found = lambda: _shown(kept.found(key), now)  # noqa: E731 - read where it is asked for
        if sure.goes_on(output, found, key_details, lambda _: f"Revoke the API key {key}?"):
            output.show(_shown(kept.revoke(key, now=now), now), key_details)
