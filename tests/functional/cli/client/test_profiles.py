"""A command names the profile it uses, or the reason it has none."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.functional.cli.conftest import Outcome, Terminal
from tests.functional.cli.fake_api import API_URL, TOKEN_URL, FakeApi, ok, page

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        pytest.param(
            httpx.Response(400, json={"error": "invalid_client"}),
            f"[token_refused]: {TOKEN_URL} gives no token: invalid_client",
            id="refused",
        ),
        pytest.param(httpx.Response(200, text="<html>"), "no token: status 200", id="html"),
        pytest.param(ok({"access_token": None}), "no token: status 200", id="no-token"),
        pytest.param(
            httpx.ConnectError("refused"), f"[not_reachable]: {TOKEN_URL} does", id="unreachable"
        ),
    ],
)
def test_without_a_token_nothing_is_asked(
    api: FakeApi, timegate: Timegate, answer: httpx.Response | Exception, said: str
) -> None:
    """The secret is in no message."""
    api.token_answer = lambda _: answer
    outcome = timegate("jobs", "list")

    assert (outcome.code, api.calls) == (3, [])
    assert said in outcome.err
    assert "s3cret" not in outcome.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(None, "There is no file", id="missing"),
        pytest.param("{", "cannot be read as JSON", id="not-json"),
        pytest.param("[]", "is not a JSON object", id="no-object"),
        pytest.param('{"api_url": ""}', "does not say api_url", id="no-url"),
        pytest.param('{"api_url": "u"}', "does not say token_url", id="no-token-url"),
        pytest.param('{"api_url": "u", "scopes": "a b"}', "not a list of text", id="scopes"),
    ],
)
def test_an_unusable_profile_is_named(
    elsewhere: Callable[..., Terminal], tmp_path: Path, content: str | None, said: str
) -> None:
    """The message names the file, and how to do without."""
    path = tmp_path / "p.json"
    if content is not None:
        path.write_text(content)
    outcome = elsewhere(TIMEGATE_PROFILE_FILE=str(path)).run("jobs", "list")

    assert (outcome.code, outcome.unexpected) == (3, None)
    assert str(path) in outcome.err
    assert said in outcome.err


@pytest.mark.parametrize("token", ["s3c\nret", "s3crét"])
def test_a_token_that_is_none_is_not_quoted(elsewhere: Callable[..., Terminal], token: str) -> None:
    """A line break in a header would make the HTTP library print the secret."""
    outcome = elsewhere(TIMEGATE_API_URL=API_URL, TIMEGATE_TOKEN=token).run("jobs", "list")

    assert (outcome.code, outcome.unexpected) == (3, None)
    assert "error [invalid_token]" in outcome.err
    assert "s3c" not in outcome.err


NO_ADDRESSES = [
    ("nonsense", "begins with neither https:// nor http://"),
    ("localhost:9", "begins with neither https:// nor http://"),
    ("ftp://files.example.com", "begins with neither https:// nor http://"),
    ("https://", "has a host or port that is none"),
    ("https://:443/stage", "has a host or port that is none"),
    ("https://me:s3cret@example.com:abc", "has a host or port that is none"),
    ("https://example.com:65536", "has a host or port that is none"),
    ("https://[::1", "has a host or port that is none"),
    ("https://a\x00b", "has a host or port that is none"),
    ("https://a b", "has a host or port that is none"),
]


@pytest.mark.parametrize(("url", "said"), NO_ADDRESSES)
def test_the_variable_of_an_address_that_is_none_is_named(
    elsewhere: Callable[..., Terminal], url: str, said: str
) -> None:
    """No request is tried, and no other profile would help."""
    terminal = elsewhere(TIMEGATE_API_URL=url, TIMEGATE_TOKEN="t")
    real = replace(terminal, surroundings=replace(terminal.surroundings, transport=None))
    outcome = real.run("jobs", "list")

    assert (outcome.code, outcome.unexpected) == (3, None)
    assert f"error [invalid_api_url]: TIMEGATE_API_URL {said}" in outcome.err
    assert "profiles list" not in outcome.err
    assert "s3cret" not in outcome.err


@pytest.mark.parametrize(("url", "said"), NO_ADDRESSES)
def test_the_field_of_an_address_that_is_none_is_named(
    elsewhere: Callable[..., Terminal], tmp_path: Path, url: str, said: str
) -> None:
    """It stands in the file of the profile."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"api_url": url, "api_key": "tgk_a"}))
    outcome = elsewhere(TIMEGATE_PROFILE_FILE=str(path)).run("jobs", "list")

    assert (outcome.code, outcome.unexpected) == (3, None)
    assert f"error [invalid_api_url]: api_url of {path} {said}" in outcome.err


def test_a_profile_that_is_asked_for_precedes_the_file_of_the_environment(
    terminal: Terminal, api: FakeApi, environ: dict[str, str]
) -> None:
    """TIMEGATE_PROFILE_FILE precedes TIMEGATE_PROFILE only."""
    environ.update(TIMEGATE_PROFILE_FILE="/no/file", TIMEGATE_PROFILE="local")
    api.will(page([]))

    assert terminal.run("jobs", "list").code == 3
    assert terminal.run("jobs", "list", "--profile", "local").code == 0


def test_the_profile_may_stand_before_or_behind_the_command(
    api: FakeApi, terminal: Terminal, environ: dict[str, str]
) -> None:
    """Behind it wins; both win over TIMEGATE_PROFILE."""
    folder = Path(environ["XDG_CONFIG_HOME"], "timegate", "profiles")
    stored = json.loads((folder / "local.json").read_text())
    for name in ("before", "behind", "variable"):
        (folder / f"{name}.json").write_text(json.dumps({**stored, "api_url": f"https://{name}"}))
    api.will(page([]))
    environ["TIMEGATE_PROFILE"] = "variable"
    terminal.run("jobs", "list")
    terminal.run("--profile", "before", "jobs", "list")
    terminal.run("--profile", "before", "jobs", "list", "--profile", "behind")

    assert [call.url.host for call in api.calls] == ["variable", "before", "behind"]
