"""``timegate profiles``: files that no other user reads, and secrets that no output shows."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, page, refusal
from tests.functional.cli.samples import job
from timegate.cli.completing.known_words import complete_profiles
from timegate.cli.completing.stage_names import complete_jobs

Timegate = Callable[..., Outcome]

PROD = (
    *("--api-url", "https://api.prod", "--token-url", "https://tokens.prod"),
    *("--client-id", "acme"),
)


@pytest.fixture
def folder(environ: dict[str, str]) -> Path:
    return Path(environ["XDG_CONFIG_HOME"], "timegate", "profiles")


def test_a_profile_is_kept_for_its_owner_alone(timegate: Timegate, folder: Path) -> None:
    """Its secret comes from standard input, and no command prints it."""
    added = timegate("profiles", "add", "prod", *PROD, stdin="s3cr3t\n")
    shown = timegate("profiles", "show", "prod")
    listed = timegate("profiles", "list", "-o", "json")
    path = folder / "prod.json"

    assert (added.code, stat.S_IMODE(path.stat().st_mode)) == (0, 0o600)
    assert json.loads(path.read_text())["client_secret"] == "s3cr3t"
    assert json.loads(path.read_text())["scopes"] == [
        *("timegate/read", "timegate/write", "timegate/operate"),
        "timegate/send",
    ]
    assert "s3cr3t" not in added.out + added.err + shown.out + listed.out
    assert "https://api.prod" in shown.out
    assert [(row["name"], row["private"]) for row in listed.json["items"]] == [
        ("local", False),
        ("prod", True),
    ]


@pytest.mark.parametrize(
    ("options", "member", "secret"),
    [(PROD, "client_secret", "s3cr3t"), (PROD[:2], "api_key", "tgk_acme.00.abc")],
)
def test_a_secret_of_a_file_of_windows_is_kept_without_its_mark(
    timegate: Timegate, folder: Path, options: tuple[str, ...], member: str, secret: str
) -> None:
    """An editor puts the mark in front, where it is not seen: every token would be refused."""
    added = timegate("profiles", "add", "prod", *options, stdin=f"\ufeff{secret}\r\n")

    assert (added.code, added.err) == (0, "")
    assert json.loads((folder / "prod.json").read_text())[member] == secret


def test_a_profile_is_written_over_when_asked_for(timegate: Timegate, folder: Path) -> None:
    """A name twice is a mistake."""
    timegate("profiles", "add", "prod", *PROD, stdin="one\n")
    refused = timegate("profiles", "add", "prod", *PROD, stdin="two\n")
    timegate("profiles", "add", "prod", *PROD, "--replace", stdin="three\n")

    assert (refused.code, "[profile_exists]" in refused.err) == (3, True)
    assert json.loads((folder / "prod.json").read_text())["client_secret"] == "three"


def test_the_profile_that_is_used_where_none_is_named(
    timegate: Timegate, api: FakeApi, environ: dict[str, str]
) -> None:
    """The environment precedes it; once it is removed, it is the default again."""
    api.will(page([]))
    timegate("profiles", "add", "prod", *PROD, "--use", stdin="s\n")
    timegate("profiles", "use", "local")
    chosen = timegate("profiles", "list").out
    timegate("jobs", "list")
    timegate("profiles", "use", "prod")
    environ["TIMEGATE_PROFILE"] = "local"
    timegate("jobs", "list")
    del environ["TIMEGATE_PROFILE"]
    removed = timegate("profiles", "remove", "prod")
    timegate("jobs", "list")

    assert "*  local" in chosen
    assert (removed.code, len(api.calls)) == (0, 3)
    assert {call.url.host for call in api.calls} == {"api.example.com"}


@pytest.mark.parametrize("name", ["../prod", "", ".hidden", "a/b", "x" * 65])
def test_a_name_leads_nowhere_else(timegate: Timegate, name: str) -> None:
    """Profiles are files of one folder."""
    refused = timegate("profiles", "show", name)

    assert (refused.code, "[invalid_profile_name]" in refused.err) == (3, True)


def test_a_profile_that_is_misspelt_is_guessed(timegate: Timegate) -> None:
    """The nearest of the existing profiles is named."""
    assert "Did you mean local?" in timegate("jobs", "list", "--profile", "locla").err


def test_a_file_that_is_no_profile_hides_no_other(timegate: Timegate, folder: Path) -> None:
    """Neither one of another name, nor one that was cut off; the latter can be removed."""
    (folder / "local copy.json").write_text("{}")
    (folder / "cut.json").write_text('{"api_url"')
    listed = timegate("profiles", "list", "-o", "json")
    shown = timegate("profiles", "show", "cut")
    removed = timegate("profiles", "remove", "cut", "--yes")

    assert [(row["name"], row["api_url"] is None) for row in listed.json["items"]] == [
        ("cut", True),
        ("local", False),
    ]
    assert "[invalid_profile]" in shown.err
    assert "(cannot be read)" not in timegate("profiles", "list").out
    assert (removed.code, (folder / "cut.json").exists()) == (0, False)


def test_no_profile_is_forgotten_where_there_is_none(timegate: Timegate) -> None:
    """A rehearsal says so as well."""
    rehearsed = timegate("profiles", "remove", "prod", "--dry-run")

    assert (rehearsed.code, "[no_profile]" in rehearsed.err) == (3, True)


def test_without_a_secret_nothing_is_written(timegate: Timegate, folder: Path) -> None:
    """An empty line is none."""
    assert timegate("profiles", "add", "prod", *PROD, stdin="\n").code == 2
    assert not (folder / "prod.json").exists()


def test_a_home_that_takes_no_file_is_named(
    environ: dict[str, str], timegate: Timegate, tmp_path: Path
) -> None:
    """The home of a container may be read-only."""
    (tmp_path / "no folder").write_text("")
    environ["XDG_CONFIG_HOME"] = str(tmp_path / "no folder")
    added = timegate("profiles", "add", "prod", *PROD, stdin="secret\n")

    assert added.code == 3
    assert added.err.startswith("error [not_kept]: ")
    assert "no folder" in added.err


def test_the_shell_completes_names_and_ids(
    environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, api: FakeApi
) -> None:
    """Ids with what they are called; without an answer, nothing."""
    monkeypatch.setenv("XDG_CONFIG_HOME", environ["XDG_CONFIG_HOME"])
    monkeypatch.setattr("httpx._client.HTTPTransport", lambda **_: api.transport)
    api.will(page([job(job_id="a" * 26, name="report"), job(job_id="b" * 26)]), refusal(503, "no"))

    found, nothing = (complete_jobs(SimpleNamespace(params={}, parent=None), "aa") for _ in "12")  # type: ignore[arg-type]

    assert (complete_profiles("lo"), complete_profiles("x")) == ([("local", "")], [])
    assert (found, nothing, len(api.calls)) == ([("a" * 26, "report")], [], 2)


@pytest.mark.parametrize("url", ["localhost:4566", "api.prod/stage", "https://", "file:///x", ""])
@pytest.mark.parametrize("option", ["--api-url", "--token-url"])
def test_an_address_without_a_scheme_is_not_kept(
    timegate: Timegate, folder: Path, option: str, url: str
) -> None:
    """Each command with that profile would fail, and name a path instead of the address."""
    words = ("--api-url", "https://api.prod", "--token-url", "https://t.prod", "--client-id", "c")
    outcome = timegate("profiles", "add", "prod", *words, option, url, stdin="s3cret\n")

    assert (outcome.code, outcome.unexpected) == (2, None)
    assert "must begin with https://" in " ".join(outcome.err.split())
    assert not (folder / "prod.json").exists()
