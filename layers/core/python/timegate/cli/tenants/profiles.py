"""``timegate profiles``: which stages there are to talk to, and as whom."""

import sys
from collections.abc import Mapping
from functools import partial
from typing import Annotated
from urllib.parse import urlsplit

import typer
from rich.console import RenderableType

from timegate.cli.completing.known_words import complete_profiles, complete_scopes
from timegate.cli.showing.grids import details, listing
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.option_groups import grouped
from timegate.cli.terminal.session import OutputOptions, show, surroundings
from timegate.cli.terminal.wording import plain
from timegate.client import JsonObject
from timegate.client.access.profile import BYTE_ORDER_MARK, KEY_PREFIX
from timegate.client.access.profile_files import (
    SECRETS,
    current_profile,
    existing_profile,
    is_private,
    profile_names,
    read_profile,
    remove_profile,
    use_profile,
    write_profile,
)
from timegate.client.errors import CredentialsError

profiles = typer.Typer(no_args_is_help=True, help="Say which stages there are, and as whom.")

Name = Annotated[str, typer.Argument(metavar="NAME", autocompletion=complete_profiles)]
_SCOPES = ["timegate/read", "timegate/write", "timegate/operate", "timegate/send"]


@profiles.command("list")
@grouped
def list_all(ctx: typer.Context, output: OutputOptions) -> None:
    """List profiles; the star is the one that is used."""
    environ = surroundings(ctx).environ
    current = current_profile(environ)
    rows = [
        {
            "name": name,
            "current": name == current,
            "api_url": _api_url(environ, name),
            "private": is_private(environ, name),
        }
        for name in profile_names(environ)
    ]
    show({"items": rows, "next_cursor": None}, _table, output=output.format)


def _address(text: str) -> str:
    """Read the address of a service; raises ``BadParameter``."""
    address = urlsplit(text)
    if address.scheme not in {"https", "http"} or not address.hostname:
        message = f"{text!r} must begin with https:// or http://, and name a host."
        raise typer.BadParameter(message)
    return text


_address_option = partial(typer.Option, parser=_address, metavar="URL")
Scope = Annotated[
    list[str] | None,
    typer.Option(
        metavar="SCOPE",
        autocompletion=complete_scopes,
        help="Ask for this scope; by default read, write, operate and send. May be repeated.",
    ),
]


@profiles.command("add")
@grouped
def add(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", autocompletion=complete_profiles)],
    api_url: Annotated[str, _address_option(help="Talk to the stack's ApiUrl.")],
    token_url: Annotated[
        str | None, _address_option(help="Get tokens from the stack's TokenUrl.")
    ] = None,
    client_id: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Use this app client of the tenant's.")
    ] = None,
    scope: Scope = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write it anew.")] = False,
    use: Annotated[bool, typer.Option("--use", help="Use it from now on.")] = False,
) -> None:
    """Keep a profile, readable by you alone; its secret is asked for, or read from a pipe.

    Without --token-url and --client-id the secret is an API key, which needs no token.

    timegate profiles add prod --api-url URL < key.txt

    timegate profiles add prod --api-url URL --token-url URL --client-id ID < secret.txt
    """
    if (token_url is None) is not (client_id is None):
        message = "--token-url and --client-id go together; an API key takes neither."
        raise typer.BadParameter(message)
    if token_url is None:
        credentials: dict[str, object] = {"api_key": _api_key()}
    else:
        credentials = {
            "token_url": token_url,
            "client_id": client_id,
            "client_secret": _secret("client secret"),
            "scopes": scope or _SCOPES,
        }
    environ = surroundings(ctx).environ
    path = write_profile(environ, name, {"api_url": api_url, **credentials}, replace=replace)
    if use:
        use_profile(environ, name)
    typer.echo(f"{path} is written.")


@profiles.command("use")
def use(ctx: typer.Context, name: Name) -> None:
    """Use a profile wherever none is named."""
    use_profile(surroundings(ctx).environ, name)


@profiles.command("show")
@grouped
def show_one(ctx: typer.Context, name: Name, output: OutputOptions) -> None:
    """Show a profile without its secrets."""
    content = read_profile(surroundings(ctx).environ, name)
    shown = {field: "(kept)" if field in SECRETS else each for field, each in content.items()}
    show({"name": name, **shown}, _details, output=output.format)


@profiles.command("remove")
@grouped
def remove(
    ctx: typer.Context,
    name: Name,
    sure: YesOption,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be forgotten, and forget nothing.")
    ] = False,
) -> None:
    """Forget a profile."""
    environ = surroundings(ctx).environ
    existing_profile(environ, name)
    if dry_run:
        typer.echo(f"The profile {plain(name)} would be forgotten. Nothing was changed.")
        return
    sure.agree(f"Forget the profile {plain(name)} and its secret?")
    remove_profile(environ, name)


def _api_url(environ: Mapping[str, str], name: str) -> str | None:
    """Return where a profile leads; ``None``: it cannot be read, and hides no other."""
    try:
        return read_profile(environ, name).get("api_url")
    except CredentialsError:
        return None


def _api_key() -> str:
    key = _secret("API key")
    if not key.startswith(KEY_PREFIX):
        message = (
            f"An API key begins with {KEY_PREFIX}; a client takes --token-url and --client-id."
        )
        raise typer.BadParameter(message)
    return key


def _secret(what: str) -> str:
    # Never an option: it would stay in the shell's history, and in the list of processes.
    secret = (
        typer.prompt(what, hide_input=True, err=True)
        if sys.stdin.isatty()
        else sys.stdin.readline().removeprefix(BYTE_ORDER_MARK)
    ).strip()
    if not secret:
        message = f"The {what} is to come from standard input."
        raise typer.BadParameter(message)
    return secret


def _table(page: JsonObject) -> RenderableType:
    return listing(
        page,
        {
            "": lambda row: "*" if row["current"] else "",
            "name": lambda row: plain(row["name"]),
            "api": lambda row: plain(row["api_url"] or "(cannot be read)"),
            "readable by": lambda row: "you" if row["private"] else "others as well",
        },
        "There are none; timegate profiles add makes one.",
    )


def _details(profile: JsonObject) -> RenderableType:
    return details(
        {
            name: plain(" ".join(each) if isinstance(each, list) else each)
            for name, each in profile.items()
        }
    )
