"""``parse_profile``: a profile that a secret holds as text."""

import json
from pathlib import Path

import pytest

from timegate.client import (
    ClientCredentials,
    CredentialsError,
    FixedToken,
    Profile,
    load_profile,
    parse_profile,
)
from timegate.client.access.profile_files import read_profile

PROFILE = {
    "api_url": "https://api.example.com",
    "token_url": "https://tokens.example.com/oauth2/token",
    "client_id": "first",
    "client_secret": "s3cret",
}


def test_a_text_is_a_profile() -> None:
    """Text is read like a file, and the environment's token does not replace it."""
    read = parse_profile(json.dumps(PROFILE), {"TIMEGATE_TOKEN": "other"})

    assert read == Profile(
        api_url="https://api.example.com",
        credentials=ClientCredentials(
            token_url="https://tokens.example.com/oauth2/token",
            client_id="first",
            client_secret="s3cret",
        ),
    )


def test_an_api_key_is_a_profile_too() -> None:
    """It needs no address of tokens."""
    text = json.dumps({"api_url": "https://api.example.com", "api_key": "tgk_acme.1.s"})

    assert parse_profile(text, {}).credentials == FixedToken(token="tgk_acme.1.s")


def test_a_profile_is_read_as_editors_of_windows_write_it(tmp_path: Path) -> None:
    """A byte order mark is in front, as other files may have it, and lines end with two marks."""
    written = json.dumps(PROFILE, indent=2).replace("\n", "\r\n").encode("utf-8-sig")
    profiles = tmp_path / "timegate" / "profiles"
    profiles.mkdir(parents=True)
    (profiles / "prod.json").write_bytes(written)
    environ = {"XDG_CONFIG_HOME": str(tmp_path)}

    assert load_profile(environ, "prod").api_url == PROFILE["api_url"]
    assert parse_profile(written.decode(), {}).api_url == PROFILE["api_url"]
    assert read_profile(environ, "prod") == PROFILE


@pytest.mark.parametrize("around", ["{} ", "{}\n", " {}\r\n"])
def test_spaces_around_an_address_are_none_of_it(around: str) -> None:
    """A token loses them too; the stage was asked for a path that began with a space."""
    environ = {"TIMEGATE_API_URL": around.format(PROFILE["api_url"]), "TIMEGATE_TOKEN": "t"}

    assert load_profile(environ).base_url == PROFILE["api_url"]


def test_a_path_is_one_of_the_cloud_that_the_environment_names() -> None:
    """Host names of the local cloud resolve nowhere."""
    text = json.dumps({**PROFILE, "api_url": "/_aws/execute-api/a1", "token_url": "/oauth2/token"})
    read = parse_profile(text, {"AWS_ENDPOINT_URL": "http://localhost:4566/"})

    assert read.api_url == "http://localhost:4566/_aws/execute-api/a1"
    assert isinstance(read.credentials, ClientCredentials)
    assert read.credentials.token_url == "http://localhost:4566/oauth2/token"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "cannot be read as JSON"),
        ("[]", "is not a JSON object"),
        (json.dumps({**PROFILE, "client_secret": ""}), "does not say client_secret"),
    ],
    ids=["no JSON", "a list", "incomplete"],
)
def test_a_text_that_is_no_profile_is_refused(text: str, said: str) -> None:
    """The refusal says nothing that it holds."""
    with pytest.raises(CredentialsError, match=said) as refused:
        parse_profile(text, {})

    assert refused.value.code == "invalid_profile"
    assert "s3cret" not in str(refused.value)
