"""The files that profiles are kept in: listed, written, chosen and removed."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from timegate.client.access.private_files import changing, write_private
from timegate.client.access.profile import (
    BYTE_ORDER_MARK,
    DEFAULT_PROFILE,
    chosen_file,
    chosen_profile,
    profile_folder,
    session_file,
)
from timegate.client.errors import CredentialsError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
#: Fields that no output of a profile shows.
SECRETS = frozenset({"api_key", "client_secret", "token"})


def profile_names(environ: Mapping[str, str]) -> list[str]:
    """Return the names of profiles, sorted; a file of another name is none."""
    names = (path.stem for path in profile_folder(environ).glob("*.json"))
    return sorted(name for name in names if _NAME.fullmatch(name))


def current_profile(environ: Mapping[str, str]) -> str:
    """The one that is used where none is named: of the environment, or chosen, or the default."""
    return environ.get("TIMEGATE_PROFILE") or chosen_profile(environ) or DEFAULT_PROFILE


def read_profile(environ: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the contents of the file; raises ``CredentialsError``."""
    path = existing_profile(environ, name)
    try:
        content = json.loads(path.read_text(encoding="utf-8").removeprefix(BYTE_ORDER_MARK))
    except (OSError, ValueError, RecursionError) as error:
        detail = f"{path} cannot be read as JSON: timegate profiles remove {name} forgets it."
        raise CredentialsError("invalid_profile", detail) from error
    return content if isinstance(content, dict) else {}


def write_profile(
    environ: Mapping[str, str], name: str, content: Mapping[str, object], *, replace: bool = False
) -> Path:
    """Keep a profile, readable by its owner alone; raises ``CredentialsError`` if it is there.

    One that is replaced loses its tokens first: they are none of the new one's place. Raises
    ``CredentialsError`` too if the system refuses.
    """
    path = profile_path(environ, name)
    if replace:
        _remove(session_file(path))
    try:
        write_private(path, json.dumps(content, indent=2) + "\n", replace=replace)
    except FileExistsError as error:
        raise _exists(name) from error
    return path


def check_new_profile(environ: Mapping[str, str], name: str) -> None:
    """Refuse a name that is none, or that a profile has; raises ``CredentialsError``."""
    if profile_path(environ, name).exists():
        raise _exists(name)


def use_profile(environ: Mapping[str, str], name: str) -> None:
    """Let it be the one that is used where none is named; raises ``CredentialsError``.

    Another command meanwhile reads the old name or the new: with none it would use the default.
    """
    read_profile(environ, name)
    write_private(chosen_file(environ), name + "\n", replace=True)


def remove_profile(environ: Mapping[str, str], name: str) -> None:
    """Forget it; raises ``CredentialsError`` if there is none."""
    path = existing_profile(environ, name)
    _remove(path)
    _remove(session_file(path))
    if chosen_profile(environ) == name:
        _remove(chosen_file(environ))


def is_private(environ: Mapping[str, str], name: str) -> bool:
    """Tell if its owner alone can read it."""
    path = profile_path(environ, name)
    return path.exists() and not path.stat().st_mode & 0o077


def _remove(path: Path) -> None:
    with changing(path):
        path.unlink(missing_ok=True)


def _exists(name: str) -> CredentialsError:
    detail = f"There is a profile {name} already; --replace writes it anew."
    return CredentialsError("profile_exists", detail)


def existing_profile(environ: Mapping[str, str], name: str) -> Path:
    """Return the path of a profile, readable or not; raises ``CredentialsError`` if none is."""
    path = profile_path(environ, name)
    if not (path.exists() or path.is_symlink()):
        raise CredentialsError("no_profile", f"There is no profile {name}.")
    return path


def profile_path(environ: Mapping[str, str], name: str) -> Path:
    """Return the path of a profile; raises ``CredentialsError`` for what is no name."""
    if not _NAME.fullmatch(name):
        detail = "A profile's name has letters, digits, dots, hyphens and underscores; at most 64."
        raise CredentialsError("invalid_profile_name", detail)
    return profile_folder(environ) / f"{name}.json"
