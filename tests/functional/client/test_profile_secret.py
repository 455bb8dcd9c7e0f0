"""``TIMEGATE_PROFILE_SECRET``: functions of a CDK app find their profile in Secrets Manager."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import boto3
import pytest
from moto import mock_aws

from timegate.client import ClientCredentials, CredentialsError, FixedToken, Profile, load_profile

PROFILE = {
    "api_url": "https://api.example.com",
    "token_url": "https://tokens.example.com/oauth2/token",
    "client_id": "first",
    "client_secret": "s3cret",
}
Kept = Callable[[str], str]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """Keep a text as a secret; its ARN."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "eu-central-1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        vault = boto3.client("secretsmanager")
        yield lambda text: vault.create_secret(Name="profile", SecretString=text)["ARN"]
        vault.close()


def test_a_secret_is_a_profile(kept: Kept) -> None:
    """As a file is; an API key is one too."""
    secret = {"TIMEGATE_PROFILE_SECRET": kept(json.dumps(PROFILE))}

    assert load_profile(secret) == Profile(
        api_url="https://api.example.com",
        credentials=ClientCredentials(
            token_url="https://tokens.example.com/oauth2/token",
            client_id="first",
            client_secret="s3cret",
        ),
    )


def test_a_path_is_one_of_the_cloud_that_the_sdk_of_aws_asks(kept: Kept) -> None:
    """Host names of the local cloud resolve nowhere."""
    text = json.dumps({"api_url": "/_aws/execute-api/a1", "api_key": "tgk_acme.1.s"})
    environ = {"TIMEGATE_PROFILE_SECRET": kept(text), "AWS_ENDPOINT_URL": "http://localhost:4566/"}

    assert load_profile(environ) == Profile(
        api_url="http://localhost:4566/_aws/execute-api/a1",
        credentials=FixedToken(token="tgk_acme.1.s"),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no JSON", "is not JSON"),
        ("[]", "is not a JSON object"),
        (json.dumps({**PROFILE, "client_secret": ""}), "does not say client_secret"),
    ],
    ids=["no JSON", "a list", "incomplete"],
)
def test_a_secret_that_is_no_profile_is_refused(kept: Kept, text: str, said: str) -> None:
    """The refusal names the secret, and nothing that it holds."""
    secret = kept(text)
    with pytest.raises(CredentialsError, match=said) as refused:
        load_profile({"TIMEGATE_PROFILE_SECRET": secret})

    assert refused.value.code == "invalid_profile"
    assert secret in str(refused.value)
    assert "s3cret" not in str(refused.value)


def test_a_secret_that_cannot_be_read_is_named(kept: Kept) -> None:
    """Whatever AWS says of it is told."""
    kept("{}")
    with pytest.raises(CredentialsError, match=r"other cannot be read: .*can't find") as refused:
        load_profile({"TIMEGATE_PROFILE_SECRET": "other"})

    assert refused.value.code == "no_profile"


def test_a_named_profile_precedes_the_secret(kept: Kept, tmp_path: Path) -> None:
    """By its path, or by its name; and a token of the environment replaces the secret's client."""
    file = tmp_path / "named.json"
    file.write_text(json.dumps({**PROFILE, "client_id": "named"}))
    environ = {"TIMEGATE_PROFILE_SECRET": kept(json.dumps(PROFILE))}
    by_path = load_profile({**environ, "TIMEGATE_PROFILE_FILE": str(file)})
    with_token = load_profile({**environ, "TIMEGATE_TOKEN": "mine"})

    assert isinstance(by_path.credentials, ClientCredentials)
    assert by_path.credentials.client_id == "named"
    assert with_token.credentials == FixedToken(token="mine")
    with pytest.raises(CredentialsError, match=r"no file .*other\.json"):
        load_profile({**environ, "XDG_CONFIG_HOME": str(tmp_path)}, "other")


def test_a_program_without_boto3_is_told_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The SDK needs httpx alone."""
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(CredentialsError, match="pip install boto3"):
        load_profile({"TIMEGATE_PROFILE_SECRET": "profile"})
