"""``docs/reference/sdk.md``: its programs work, in front of the real API."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.fake_api import API_URL, FakeApi
from tests.functional.cli.served import served
from tests.support.world import World
from timegate.worker import Worker, handlers

__all__ = ["served"]

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "reference" / "sdk.md").read_text()


@pytest.fixture
def run(
    served: World, api: FakeApi, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], dict[str, Any]]:
    """Execute a program of the page; the names it defines."""
    monkeypatch.setenv("TIMEGATE_API_URL", API_URL)
    monkeypatch.setenv("TIMEGATE_TOKEN", "mine")
    monkeypatch.setattr("httpx._client.HTTPTransport", lambda **_: api.transport)
    monkeypatch.setattr("httpx._client.AsyncHTTPTransport", lambda **_: api.transport)
    monkeypatch.setattr(handlers, "_REGISTERED", {})

    def execute(word: str) -> dict[str, Any]:
        (code,) = [
            each for each in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if word in each
        ]
        names: dict[str, Any] = {}
        exec(code, names)
        return names

    return execute


def test_the_programs_do_what_the_page_says(
    run: Callable[[str], dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    """The one that waits makes and finds a job; the one that awaits pauses it."""
    run("with TimegateClient")
    waited = capsys.readouterr().out
    run("async def pause_all")
    awaited = capsys.readouterr().out

    assert "report 2026-11-23T08:00:00.000Z" in waited
    assert "run_not_found" in waited
    assert "1 paused" in awaited


def test_the_worker_does_what_the_page_says(run: Callable[[str], dict[str, Any]]) -> None:
    """By the name that jobs call it."""
    names = run("from timegate.worker import")
    assert isinstance(names["worker"], Worker)
    assert set(handlers.registered()) == {"report"}
