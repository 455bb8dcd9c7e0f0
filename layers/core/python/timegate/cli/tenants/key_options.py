"""Options of API keys, and the place where a new one is kept."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, cast

import typer

from timegate.cli.completing.known_words import complete_profiles
from timegate.cli.options.job_options import given
from timegate.cli.tenants.key_tables import made_key_details
from timegate.cli.terminal.failures import EXIT_REFUSED
from timegate.cli.terminal.session import Session
from timegate.client import JsonObject
from timegate.client.access.profile_files import check_new_profile, write_profile
from timegate.domain.tenants.api_key import KeyScope
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.client.schemas import NewKeyRequest


_LOST = "The key {0} was made, and the answer with its text was lost: revoke it, and make another."


SaveAs = Annotated[
    str | None,
    typer.Option(
        metavar="PROFILE",
        autocompletion=complete_profiles,
        help="Keep the key as this profile, and do not show it.",
    ),
]


def kept_as_profile(
    made: JsonObject, profile: str, api_url: str, environ: Mapping[str, str]
) -> JsonObject:
    """Write the profile of a new key, and return what may be shown of the key."""
    path = write_profile(environ, profile, {"api_url": api_url, "api_key": made["api_key"]})
    typer.echo(f"{path} is written.", err=True)
    return {**made, "api_key": "(kept)"}


@dataclass(frozen=True, kw_only=True, slots=True)
class KeyOptions:
    """The options of a command that makes a key."""

    key_name: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Name the key for people: the program that gets it."),
    ] = None
    scope: Annotated[
        list[KeyScope] | None,
        typer.Option(help="Let the key do this; by default everything. May be repeated."),
    ] = None
    expires_at: Annotated[
        str | None,
        typer.Option(metavar="INSTANT", help="End the key then; by default in 365 days."),
    ] = None
    save_as: SaveAs = None

    def as_json(self) -> "NewKeyRequest":
        """Return the body of the request."""
        asked = {"name": self.key_name, "scopes": self.scope, "expires_at": self.expires_at}
        return cast("NewKeyRequest", given(asked))

    def check(self, opening: Session) -> None:
        """Refuse a profile that is there, before a key is made; raises ``CredentialsError``."""
        if self.save_as is not None:
            check_new_profile(opening.surroundings.environ, self.save_as)

    def kept(self, made: JsonObject, opening: Session) -> JsonObject:
        """Write the profile of a new key, and return what may be shown of the key."""
        if made["api_key"] is None:
            typer.echo(_LOST.format(made["key_id"]), err=True)
            raise typer.Exit(EXIT_REFUSED)
        if self.save_as is None:
            return made
        return kept_as_profile(made, self.save_as, opening.api_url, opening.surroundings.environ)

    def show(self, made: JsonObject, opening: Session) -> None:
        """Keep a new key where it is to be kept, and show the rest."""
        opening.show(self.kept(made, opening), made_key_details)
