"""Profiles: where a stage's API is, and what to show it. One JSON file each."""

import json
from collections.abc import Mapping
from dataclasses import field
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from timegate.client.errors import CredentialsError
from timegate.value_classes import dataclass

#: ``make local`` writes this profile.
DEFAULT_PROFILE = "local"
#: The variable that names the path of a profile.
PROFILE_FILE = "TIMEGATE_PROFILE_FILE"
#: The beginning of every API key.
KEY_PREFIX = "tgk_"
#: Editors of Windows write it in front of text, which says the same without it.
BYTE_ORDER_MARK = "\ufeff"
#: In front of every path that the holder of a key asks for.
KEY_PATH = "/key"
#: Stands in refusals for the path of a profile that is in no file.
_TEXT = Path("The text")


@dataclass(frozen=True, kw_only=True, slots=True)
class FixedToken:
    """A token that another process renews, or an API key."""

    token: str = field(repr=False)

    @property
    def is_key(self) -> bool:
        """Tell if it is an API key."""
        return self.token.startswith(KEY_PREFIX)


@dataclass(frozen=True, kw_only=True, slots=True)
class ClientCredentials:
    """Credentials for which an OAuth2 token endpoint gives tokens."""

    token_url: str
    client_id: str
    client_secret: str = field(repr=False)
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonSignIn:
    """A person's sign-in; an OAuth2 token endpoint renews her tokens."""

    token_url: str
    client_id: str
    #: The file of her tokens.
    session: Path


Credentials = FixedToken | ClientCredentials | PersonSignIn


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    """Access to one stage as one tenant."""

    api_url: str
    credentials: Credentials

    @property
    def base_url(self) -> str:
        """The address in front of the API's paths: holders of API keys have one of their own."""
        by_key = isinstance(self.credentials, FixedToken) and self.credentials.is_key
        return f"{self.api_url.rstrip('/')}{KEY_PATH}" if by_key else self.api_url


def load_profile(environ: Mapping[str, str], name: str | None = None) -> Profile:
    """The profile of this name, or else of the environment; raises ``CredentialsError``.

    ``TIMEGATE_API_URL`` and ``TIMEGATE_TOKEN`` replace what the environment's profile says; both
    together need none. A profile that is named is as its file says: a command for one stage would
    else act on another one, or show it a token of the first.
    """
    replacing = environ if name is None else {}
    # Spaces and ends of lines come with values out of files and of other shells.
    api_url = replacing.get("TIMEGATE_API_URL", "").strip()
    token = _fixed_token(replacing.get("TIMEGATE_TOKEN", "").strip())
    if api_url and token:
        return Profile(api_url=_address(api_url, "TIMEGATE_API_URL"), credentials=token)
    path = profile_file(environ, name)
    content = _read(path)
    stored = "" if api_url else _text(content, "api_url", path)
    credentials = token or _credentials(content, path)
    checked = _address(api_url, "TIMEGATE_API_URL") if api_url else _api_url(stored, path)
    return Profile(api_url=checked, credentials=credentials)


def parse_profile(text: str, environ: Mapping[str, str]) -> Profile:
    """Read the profile that a secret holds as text; raises ``CredentialsError``.

    An address that is a mere path is one of the cloud at ``AWS_ENDPOINT_URL``.
    """
    content = _parsed(text, _TEXT)
    if "authorize_url" in content:
        raise _invalid(_TEXT, "is a person's, who signs in with a file")
    cloud = environ.get("AWS_ENDPOINT_URL", "").rstrip("/")
    for name in ("api_url", "token_url"):
        if str(content.get(name, "")).startswith("/"):
            content[name] = f"{cloud}{content[name]}"
    api_url, credentials = _text(content, "api_url", _TEXT), _credentials(content, _TEXT)
    return Profile(api_url=_api_url(api_url, _TEXT), credentials=credentials)


def profile_file(environ: Mapping[str, str], name: str | None = None) -> Path:
    """Return the path of a profile; a name precedes ``TIMEGATE_PROFILE_FILE``."""
    override = environ.get(PROFILE_FILE)
    if override and name is None:
        return Path(override)
    name = name or environ.get("TIMEGATE_PROFILE") or chosen_profile(environ) or DEFAULT_PROFILE
    return profile_folder(environ) / f"{name}.json"


def profile_folder(environ: Mapping[str, str]) -> Path:
    """Return the folder of profiles."""
    return chosen_file(environ).parent / "profiles"


def session_file(profile: Path) -> Path:
    """Return the path of the tokens of a profile's person."""
    return profile.parent.parent / "sessions" / profile.name


def chosen_file(environ: Mapping[str, str]) -> Path:
    """Return the path of the file that names the default profile; it may be missing."""
    config = environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(config) / "timegate" / "profile"


def chosen_profile(environ: Mapping[str, str]) -> str | None:
    """The one that ``timegate profiles use`` has named, if any."""
    try:
        return chosen_file(environ).read_text(encoding="utf-8").strip() or None
    except (OSError, ValueError):
        return None


def _fixed_token(text: str) -> FixedToken | None:
    if not text:
        return None
    # A header of anything else is refused deep inside the HTTP library, which quotes it.
    if not (text.isascii() and text.isprintable()):
        raise CredentialsError("invalid_token", "TIMEGATE_TOKEN holds what no token can.")
    return FixedToken(token=text)


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        near = get_close_matches(path.stem, [each.stem for each in path.parent.glob("*.json")], n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        detail = (
            f"There is no file {path}. {meant}`timegate profiles add` and `timegate login` make a"
            f" profile, and `make local` makes {DEFAULT_PROFILE}; TIMEGATE_API_URL and"
            " TIMEGATE_TOKEN replace one."
        )
        raise CredentialsError("no_profile", detail) from error
    except (OSError, ValueError) as error:
        raise _invalid(path, "cannot be read as JSON") from error
    return _parsed(text, path)


def _parsed(text: str, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(text.removeprefix(BYTE_ORDER_MARK))
    except ValueError as error:
        raise _invalid(path, "cannot be read as JSON") from error
    if not isinstance(content, dict):
        raise _invalid(path, "is not a JSON object")
    return content


def _credentials(content: Mapping[str, Any], path: Path) -> Credentials:
    if "api_key" in content:
        key = _fixed_token(_text(content, "api_key", path))
        if key is None or not key.is_key:
            raise _invalid(path, "has an api_key that is none")
        return key
    if "authorize_url" in content:
        return PersonSignIn(
            token_url=_text(content, "token_url", path),
            client_id=_text(content, "client_id", path),
            session=session_file(path),
        )
    return _client_credentials(content, path)


def _client_credentials(content: Mapping[str, Any], path: Path) -> ClientCredentials:
    scopes = content.get("scopes", [])
    if not (isinstance(scopes, list) and all(isinstance(scope, str) for scope in scopes)):
        raise _invalid(path, "has scopes that are not a list of text")
    return ClientCredentials(
        token_url=_text(content, "token_url", path),
        client_id=_text(content, "client_id", path),
        client_secret=_text(content, "client_secret", path),
        scopes=tuple(scopes),
    )


def _text(content: Mapping[str, Any], name: str, path: Path) -> str:
    value = content.get(name)
    if not (isinstance(value, str) and value):
        raise _invalid(path, f"does not say {name}")
    return value


def _api_url(url: str, path: Path) -> str:
    return _address(url, f"api_url of {path}")


def _address(url: str, called: str) -> str:
    """Return an address of HTTP; raises ``CredentialsError``, whose words have no password."""
    try:
        parts = urlsplit(url)
        # A port is read when it is asked for.
        has_host = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        why = "has a host or port that is none"
    else:
        if parts.scheme not in {"http", "https"}:
            why = "begins with neither https:// nor http://"
        elif not has_host or not url.isprintable() or " " in url:
            why = "has a host or port that is none"
        else:
            return url
    detail = f"{called} {why}: write it as https://api.example.com/stage."
    raise CredentialsError("invalid_api_url", detail)


def _invalid(path: Path, why: str) -> CredentialsError:
    return CredentialsError("invalid_profile", f"{path} {why}.")
