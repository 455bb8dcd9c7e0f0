"""The command line in front of an API that answers as told."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.functional.cli.fake_api import PROFILE, FakeApi
from tests.support.factories import NOW
from timegate.cli.main import app
from timegate.cli.terminal.agreeing import YesOption
from timegate.cli.terminal.session import Surroundings
from timegate.client import ClientCredentials, Profile, Retries, TimegateClient


@dataclass
class Terminal:
    """A shell with a clock that steps while it sleeps."""

    surroundings: Surroundings
    slept: list[float] = field(default_factory=list)

    def run(
        self, *arguments: str, stdin: str = "", columns: int = 200, zone: str = "UTC"
    ) -> "Outcome":
        """Run ``timegate`` with these arguments, on a machine of that zone."""
        environ = {"COLUMNS": str(columns), "NO_COLOR": "1", "TZ": zone}
        result = CliRunner(env=environ).invoke(
            app, list(arguments), obj=self.surroundings, input=stdin
        )
        unexpected = None if isinstance(result.exception, SystemExit) else result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr, unexpected)


@dataclass(frozen=True)
class Outcome:
    """Exit code, output and error of a command."""

    code: int
    out: str
    err: str
    unexpected: BaseException | None

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        """Standard output as JSON."""
        assert self.out, self.err
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def offline(socket_disabled: None) -> None:
    """No test of the command line needs a network."""


@pytest.fixture(autouse=True)
def agreed(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Commands run as with ``--yes``; call it, and they ask as they do."""
    ask = YesOption.agree
    monkeypatch.setattr(YesOption, "agree", lambda *_: None)
    return lambda: monkeypatch.setattr(YesOption, "agree", ask)


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    """A home with the profile that ``make local`` writes."""
    path = tmp_path / "timegate" / "profiles" / "local.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(PROFILE))
    return {"XDG_CONFIG_HOME": str(tmp_path)}


@pytest.fixture
def terminal(api: FakeApi, environ: dict[str, str]) -> Terminal:
    slept: list[float] = []

    def now() -> datetime:
        return NOW + timedelta(seconds=sum(slept))

    surroundings = Surroundings(
        environ=environ,
        transport=api.transport,
        sleep=slept.append,
        now=now,
        clock=lambda: sum(slept),
        # A busy machine changes no output.
        loaded_seconds=lambda: 0.5,
        notice_seconds=3600,
    )
    return Terminal(surroundings, slept)


@pytest.fixture
def timegate(terminal: Terminal) -> Callable[..., Outcome]:
    """Run the command."""
    return terminal.run


@pytest.fixture
def elsewhere(terminal: Terminal) -> Callable[..., Terminal]:
    """The same terminal with other variables."""

    def change(**environ: str) -> Terminal:
        return replace(terminal, surroundings=replace(terminal.surroundings, environ=environ))

    return change


@pytest.fixture
def waits() -> list[float]:
    """Return the client's pauses, in seconds."""
    return []


@pytest.fixture
def client(api: FakeApi, waits: list[float]) -> TimegateClient:
    credentials = ClientCredentials(
        token_url=str(PROFILE["token_url"]),
        client_id="first",
        client_secret="s3cret",
        scopes=("timegate/read", "timegate/write"),
    )
    profile = Profile(api_url=str(PROFILE["api_url"]), credentials=credentials)
    retries = Retries(jitter=lambda: 1.0)
    return TimegateClient(profile, retries=retries, transport=api.transport, sleep=waits.append)
