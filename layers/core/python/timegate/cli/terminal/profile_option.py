"""``--profile``: the option that the root and most commands take."""

from typing import Annotated

import typer


def _complete(incomplete: str) -> list[tuple[str, str]]:
    # The client is slow to import, and only completion needs it here.
    from timegate.cli.completing.known_words import complete_profiles  # noqa: PLC0415

    return complete_profiles(incomplete)


ProfileOption = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Use this profile's API and credentials.",
        autocompletion=_complete,
    ),
]
