"""``--wait`` of commands that start a run."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, run
from timegate.cli.terminal import watching

Timegate = Callable[..., Outcome]


def interrupted(*_: object) -> None:
    """Ctrl-C while it waits."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("command", "started"),
    [
        pytest.param(("jobs", "trigger", JOB_ID), f"/v1/jobs/{JOB_ID}/trigger", id="trigger"),
        pytest.param(("runs", "repeat", RUN_ID), f"/v1/jobs/{JOB_ID}/trigger", id="repeat"),
    ],
)
@pytest.mark.parametrize(("state", "code"), [("succeeded", 0), ("failed", 4)])
def test_a_run_that_is_waited_for_is_followed_to_its_end(
    api: FakeApi, timegate: Timegate, command: tuple[str, ...], started: str, state: str, code: int
) -> None:
    """A script sees by the exit code how it ended."""
    api.will(ok(run("queued"), 202), ok(run("running")), ok(run(state)))
    outcome = timegate(*command, "--wait")

    assert api.asked == [f"POST {started}", *[f"GET /v1/runs/{RUN_ID}"] * 2]
    assert outcome.code == code
    assert state in outcome.out


def test_waiting_for_a_run_has_an_end(api: FakeApi, timegate: Timegate) -> None:
    """A run that goes on is no success."""
    api.will(ok(run("queued"), 202), ok(run("running")))
    outcome = timegate("jobs", "trigger", JOB_ID, "--wait", "--timeout", "2s")

    assert outcome.code == 4
    assert "has not ended within 2" in outcome.err


def test_a_run_is_named_before_it_is_waited_for(
    api: FakeApi, timegate: Timegate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that is interrupted has said which run goes on; data stay what they are."""
    api.will(ok(run("queued"), 202), ok(run("succeeded")))
    ended = timegate("jobs", "trigger", JOB_ID, "--wait", "--json")
    monkeypatch.setattr(watching, "follow_to_end", interrupted)
    api.will(ok(run("queued"), 202))
    cut = timegate("jobs", "trigger", JOB_ID, "--wait")

    assert (ended.err, ended.json["run_id"]) == (f"Started {RUN_ID}.\n", RUN_ID)
    assert cut.code != 0
    assert cut.err.startswith(f"Started {RUN_ID}.\n")
