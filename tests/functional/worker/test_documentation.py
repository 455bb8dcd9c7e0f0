"""``docs/guides/workers.md``: its program works."""

import re
from pathlib import Path
from typing import Any, cast

import pytest

from tests.functional.worker.client import FakeClient, run_of
from timegate.client import TimegateClient
from timegate.worker import Worker, handlers
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Done
from timegate.worker.runners import ThreadRunner
from timegate.worker.task import ClaimedRun

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "guides" / "workers.md").read_text()


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the page's program defines."""
    monkeypatch.setattr(handlers, "_REGISTERED", {})
    return executed("Worker(pool=")


def executed(word: str) -> dict[str, Any]:
    """The names that one of the page's programs defines."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (code,) = [each for each in blocks if word in each]
    names: dict[str, Any] = {}
    exec(code, names)
    return names


def hold(client: FakeClient, **fields: object) -> Hold:
    """A run, in the hands of a worker."""
    task = ClaimedRun.of(run_of("x") | fields, lease_seconds=60)
    return Hold(cast("TimegateClient", client), task)


def test_the_program_does_what_the_page_says(program: dict[str, Any]) -> None:
    """It goes on from the last checkpoint, and fails as it should."""
    client = FakeClient()
    payload = {"region": "eu"}
    held = hold(client, payload=payload, last_checkpoint={"rows": 50})
    done = ThreadRunner().work(program["sales"], held)
    refused = ThreadRunner().work(program["sales"], hold(client, payload={}))
    later = ThreadRunner().work(program["stock"], hold(client))

    assert done == Done(result={"rows": 100})
    assert [each["checkpoint"] for each in client.heartbeats] == [{"rows": 75}, {"rows": 100}]
    assert isinstance(refused, Broke)
    assert (refused.code, refused.retryable) == ("no_region", False)
    assert isinstance(later, Broke)
    assert (later.code, later.retry_after_seconds) == ("counting", 600)


def test_its_worker_knows_its_handlers(program: dict[str, Any]) -> None:
    """By the names that jobs call them."""
    assert isinstance(program["worker"], Worker)
    assert set(handlers.registered()) == {"sales", "stock"}


def test_its_test_passes() -> None:
    """The one of a handler, without a stack."""
    executed("run_handler")["test_the_next_worker_goes_on"]()
