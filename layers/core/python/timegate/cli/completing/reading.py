"""Names that a stage is asked for after a tab."""

import os
import re
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import typer

from timegate.cli.lengthening.short_id_sender import ShortIdSender
from timegate.client import ClientError, Retries, TimegateClient, load_profile

#: People do not wait longer for a tab.
PATIENCE_SECONDS = 2.0
#: Offers of a shell: a name, and its meaning.
Offers = list[tuple[str, str]]
Offered = Callable[[typer.Context, str], Offers]
#: One word in each shell, and no option. A shell inserts an offer as it is, and zsh evaluates it.
_WORD = re.compile(r"(?![-=])[\w@%+=:,./-]+")
#: Characters of meanings that zsh evaluates or typer's drawing reads, and their stand-ins.
_STAND_INS = str.maketrans("\\[]$`\"'", "/()    ")


def asked(
    ctx: typer.Context, incomplete: str, read: Callable[[TimegateClient], Iterable[tuple[Any, Any]]]
) -> Offers:
    """Offer what was read of the stage; one that does not answer soon offers nothing."""
    try:
        profile = load_profile(os.environ, _profile(ctx))
        retries = Retries(max_attempts=1)
        with TimegateClient(profile, timeout_seconds=PATIENCE_SECONDS, retries=retries) as client:
            client.sender = ShortIdSender.on(client.sender, nullcontext)
            return beginning(incomplete, read(client))
    except ClientError:
        return []


def beginning(incomplete: str, offers: Iterable[tuple[Any, Any]]) -> Offers:
    """Return those that begin as the word does, each once.

    Callers and targets write names and meanings: a name of other characters than those of one
    word is left out, and a meaning is shown without characters that a shell acts on.
    """
    known = {str(name): _harmless(str(about or "")) for name, about in reversed([*offers]) if name}
    fitting = (name for name in reversed(known) if name.startswith(incomplete))
    return [(name, known[name]) for name in fitting if _WORD.fullmatch(name)]


def _harmless(about: str) -> str:
    shown = "".join(char if char.isprintable() else " " for char in about)
    return shown.translate(_STAND_INS)


def _profile(ctx: typer.Context) -> str | None:
    """Return the profile that the command line names, before or after the command."""
    around: Any = ctx
    while around is not None:
        if named := around.params.get("profile"):
            return str(named)
        around = around.parent
    return None
