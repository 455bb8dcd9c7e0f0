"""``timegate login`` and ``logout``: a person, with the name and the roles of the console."""

import webbrowser
from typing import Annotated

import httpx
import typer

from timegate.cli.completing.known_words import complete_profiles
from timegate.cli.signing_in.code_flow import SignInAttempt, SignInPlace, exchange, read_place
from timegate.cli.signing_in.loopback import listening
from timegate.cli.terminal.profile_option import ProfileOption
from timegate.cli.terminal.session import Surroundings, surroundings
from timegate.cli.terminal.wording import plain
from timegate.client.access.person_tokens import (
    PersonTokens,
    forget_tokens,
    read_tokens,
    write_tokens,
)
from timegate.client.access.profile import session_file
from timegate.client.access.profile_files import (
    check_new_profile,
    current_profile,
    profile_names,
    profile_path,
    read_profile,
    use_profile,
    write_profile,
)
from timegate.client.errors import CredentialsError
from timegate.client.sending import connecting

#: A person looks for her password, and for her telephone.
_PATIENCE_SECONDS = 300.0
_ANSWER_SECONDS = 30.0


def login(
    ctx: typer.Context,
    console: Annotated[
        str | None,
        typer.Argument(metavar="URL", help="Sign in at the console of this address."),
    ] = None,
    save_as: Annotated[
        str | None,
        typer.Option(
            metavar="PROFILE",
            autocompletion=complete_profiles,
            help="Keep the sign-in as this profile; by default STAGE-me.",
        ),
    ] = None,
    use: Annotated[bool, typer.Option("--use", help="Use the profile from now on.")] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address, and open no browser.")
    ] = False,
) -> None:
    """Sign in as a person, in the browser of this machine.

    The profile has the person's name and roles. A later sign-in to it needs no address.

    timegate login https://console.example.com
    """
    around = surroundings(ctx)
    address = console or _console_of(around, save_as)
    with _http(around) as http:
        place = read_place(http, address)
        name = save_as or f"{place.stage}-me"
        _check_name(around, name)
        tokens = _signed_in(http, place, around, opens_browser=not no_browser)
    environ = around.environ
    path = write_profile(environ, name, place.as_profile(address), replace=True)
    write_tokens(session_file(path), tokens)
    if use:
        use_profile(environ, name)
    typer.echo(f"You are signed in to {plain(place.stage)}, as the profile {plain(name)}.")


def logout(ctx: typer.Context, profile: ProfileOption = None) -> None:
    """End a person's session here and at the issuer; the profile stays for the next sign-in."""
    around = surroundings(ctx)
    name = profile or around.profile or current_profile(around.environ)
    content = read_profile(around.environ, name)
    if "authorize_url" not in content:
        message = f"{name} is no sign-in of a person: timegate profiles remove forgets it."
        raise typer.BadParameter(message, param_hint="--profile")
    session = session_file(profile_path(around.environ, name))
    tokens = read_tokens(session)
    forget_tokens(session)
    if tokens is None:
        typer.echo("No person was signed in.")
        return
    left = _revoked(around, content, tokens)
    typer.echo(f"You are signed out.{left}")


def _signed_in(
    http: httpx.Client, place: SignInPlace, around: Surroundings, *, opens_browser: bool
) -> PersonTokens:
    with listening() as server:
        attempt = SignInAttempt(returns_to=server.returns_to)
        address = attempt.address(place)
        typer.echo(f"Sign in at:\n{plain(address)}", err=True)
        if opens_browser:
            webbrowser.open(address)
        code = server.wait_for_code(attempt.state, seconds=_PATIENCE_SECONDS)
    return exchange(http, place, attempt, code=code, now=around.now().timestamp())


def _console_of(around: Surroundings, name: str | None) -> str:
    """Return the console at which a profile's person signed in before."""
    if name is not None and name in profile_names(around.environ):
        known = read_profile(around.environ, name).get("console_url")
        if isinstance(known, str):
            return known
    message = "Give the address of the stage's console, its output ConsoleUrl."
    raise typer.BadParameter(message, param_hint="URL")


def _check_name(around: Surroundings, name: str) -> None:
    """Refuse the name of a profile of another kind; raises ``CredentialsError``."""
    try:
        check_new_profile(around.environ, name)
    except CredentialsError as error:
        if error.code != "profile_exists" or "authorize_url" not in read_profile(
            around.environ, name
        ):
            raise


def _http(around: Surroundings) -> httpx.Client:
    with connecting():
        return httpx.Client(transport=around.transport, timeout=_ANSWER_SECONDS)


def _revoked(around: Surroundings, content: dict[str, object], tokens: PersonTokens) -> str:
    """Take the session back at the issuer; what the person has to know of it."""
    revoke = content.get("revoke_url")
    if not isinstance(revoke, str) or tokens.refresh is None:
        return " The issuer ends the session by itself."
    asked = {"token": tokens.refresh, "client_id": str(content.get("client_id"))}
    try:
        with _http(around) as http:
            http.post(revoke, data=asked).raise_for_status()
    except httpx.HTTPError as error:
        return f" The issuer did not take the session back, and ends it by itself: {plain(error)}"
    return ""
