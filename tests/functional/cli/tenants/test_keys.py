"""``timegate keys`` and ``timegate tenants create``: a key is shown once, or kept and not shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import API_URL, FakeApi, ok, page
from tests.functional.cli.tenants.test_tenants import TENANT
from timegate.client.access.profile import load_profile

Timegate = Callable[..., Outcome]
TEXT = f"tgk_acme.00.{'A' * 43}"
KEY: dict[str, Any] = {
    "key_id": "000f007385b6",
    "name": "exports",
    "status": "active",
    "scopes": ["read", "operate"],
    "created_at": "2026-11-21T07:00:00.000Z",
    "created_by": "ops",
    "expires_at": "2027-11-21T07:00:00.000Z",
    "revoked_at": None,
}
MADE = KEY | {"api_key": TEXT}


def profile_path(environ: dict[str, str], name: str) -> Path:
    return Path(environ["XDG_CONFIG_HOME"]) / "timegate" / "profiles" / f"{name}.json"


def test_a_tenant_is_made_with_a_key(timegate: Timegate, api: FakeApi) -> None:
    """The key is shown once."""
    api.will(ok({"tenant": TENANT, "key": MADE}, 201))
    outcome = timegate("tenants", "create", "acme", "--quota", "jobs=5", "--scope", "read")

    assert api.asked == ["POST /v1/tenants"]
    assert api.body == {"tenant": "acme", "quotas": {"jobs": 5}, "key": {"scopes": ["read"]}}
    assert TEXT in outcome.out


def test_a_tenant_of_people_gets_no_key(timegate: Timegate, api: FakeApi) -> None:
    """With ``--no-key``."""
    api.will(ok({"tenant": TENANT, "key": None}, 201))
    outcome = timegate("tenants", "create", "acme", "--no-key")

    assert api.body == {"tenant": "acme", "key": None}
    assert (outcome.code, "tgk_" in outcome.out) == (0, False)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("tenants", "create", "acme"), {"tenant": TENANT, "key": MADE}),
        (("keys", "create"), MADE),
        (("keys", "create", "--tenant", "acme"), MADE),
    ],
)
def test_a_key_is_kept_and_not_shown(
    timegate: Timegate,
    api: FakeApi,
    environ: dict[str, str],
    words: tuple[str, ...],
    answer: dict[str, Any],
) -> None:
    """The profile is readable by its owner alone, and works."""
    api.will(ok(answer, 201))
    outcome = timegate(*words, "--save-as", "acme")
    path = profile_path(environ, "acme")

    assert outcome.code == 0
    assert TEXT not in outcome.out + outcome.err
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text()) == {"api_url": API_URL, "api_key": TEXT}
    assert load_profile(environ, "acme").base_url == f"{API_URL.rstrip('/')}/key"


def test_a_key_whose_text_was_lost_is_told_of(
    timegate: Timegate, api: FakeApi, environ: dict[str, str]
) -> None:
    """A repeated request finds the key, and no profile is written without a text."""
    api.will(ok(KEY | {"api_key": None}))
    outcome = timegate("keys", "create", "--save-as", "exports")

    assert outcome.code == 1
    assert f"The key {KEY['key_id']} was made" in outcome.err
    assert "revoke it" in outcome.err
    assert not profile_path(environ, "exports").exists()


def test_no_key_is_made_for_a_profile_that_is_there(timegate: Timegate, api: FakeApi) -> None:
    """It would be lost."""
    outcome = timegate("keys", "create", "--save-as", "local")

    assert (outcome.code != 0, api.calls) == (True, [])
    assert "There is a profile local already" in outcome.err


def test_requests_by_key_go_where_keys_are_checked(
    timegate: Timegate, api: FakeApi, environ: dict[str, str]
) -> None:
    """No token is asked for."""
    profile_path(environ, "local").write_text(json.dumps({"api_url": API_URL, "api_key": TEXT}))
    api.will(page([KEY]))
    outcome = timegate("keys", "list")

    assert [str(call.url) for call in api.calls] == [f"{API_URL.rstrip('/')}/key/v1/keys"]
    assert (api.tokens, api.token_calls) == ([TEXT], [])
    assert "000f007385b6" in outcome.out


def test_a_key_of_the_environment_is_one(environ: dict[str, str]) -> None:
    """It stands for a token and selects the key's own address; a token's address stays."""
    urls = [
        load_profile(
            {"TIMEGATE_API_URL": "https://api.example.com/", "TIMEGATE_TOKEN": each}
        ).base_url
        for each in (TEXT, "eyJhbGciOi")
    ]

    assert environ
    assert urls == ["https://api.example.com/key", "https://api.example.com/"]


def test_a_key_is_shown_without_what_proves_it(timegate: Timegate, api: FakeApi) -> None:
    """Before it is revoked, on a dry run."""
    api.will(page([KEY]))
    outcome = timegate("keys", "revoke", "000f007385b6", "--dry-run")

    assert api.asked == ["GET /v1/keys"]
    assert "exports" in outcome.out
    assert "Nothing was changed." in outcome.out


def test_a_revoked_key_says_when(timegate: Timegate, api: FakeApi) -> None:
    """In the table of facts."""
    api.will(ok(KEY | {"status": "revoked", "revoked_at": "2026-11-22T07:00:00.000Z"}))
    outcome = timegate("keys", "revoke", "000f007385b6")

    assert api.asked == ["POST /v1/keys/000f007385b6/revoke"]
    assert "2026-11-22" in outcome.out


def test_a_key_that_there_is_not_is_said_to_be_none(timegate: Timegate, api: FakeApi) -> None:
    """A dry run shows the key that would be revoked, and there is none."""
    api.will(page([KEY]))
    outcome = timegate("keys", "revoke", "0000000000ff", "--dry-run")

    assert outcome.code == 2
    assert "There is no API key 0000000000ff" in outcome.err.replace("\n", " ")


def test_a_profile_of_a_key_takes_no_client(timegate: Timegate, environ: dict[str, str]) -> None:
    """The key comes from a pipe."""
    outcome = timegate("profiles", "add", "prod", "--api-url", "https://a", stdin=f"{TEXT}\n")

    assert outcome.code == 0, outcome.err
    assert json.loads(profile_path(environ, "prod").read_text()) == {
        "api_url": "https://a",
        "api_key": TEXT,
    }
    assert TEXT not in timegate("profiles", "show", "prod").out


@pytest.mark.parametrize(
    ("words", "stdin", "why"),
    [
        ((), "secret\n", "An API key begins with tgk_"),
        ((), "\n", "API key is to come from standard input"),
        (("--client-id", "c"), f"{TEXT}\n", "go together"),
        (("--token-url", "https://t"), f"{TEXT}\n", "go together"),
    ],
)
def test_what_is_no_profile_is_refused(
    timegate: Timegate, environ: dict[str, str], words: tuple[str, ...], stdin: str, why: str
) -> None:
    """And nothing is written."""
    outcome = timegate("profiles", "add", "prod", "--api-url", "https://a", *words, stdin=stdin)

    assert outcome.code != 0
    assert why in outcome.err
    assert not profile_path(environ, "prod").exists()


def test_a_profile_whose_key_is_none_is_refused(
    timegate: Timegate, environ: dict[str, str]
) -> None:
    """Before anything is sent."""
    profile_path(environ, "local").write_text(json.dumps({"api_url": API_URL, "api_key": "secret"}))
    outcome = timegate("keys", "list")

    assert outcome.code != 0
    assert "has an api_key that is none" in outcome.err
