"""``timegate runs reschedule``."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import RUN_ID, run

Timegate = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("options", "body"),
    [
        (("--delay", "2h"), {"delay_seconds": 7200.0}),
        (("--at", "2026-11-22T07:00:00Z"), {"at": "2026-11-22T07:00:00.000Z"}),
    ],
)
def test_a_run_is_moved(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], body: dict[str, object]
) -> None:
    """To an instant, or by a duration from now."""
    api.will(ok(run("waiting")))
    outcome = timegate("runs", "reschedule", RUN_ID, *options)

    assert outcome.code == 0, outcome.err
    assert (api.asked, api.body) == ([f"POST /v1/runs/{RUN_ID}/reschedule"], body)


@pytest.mark.parametrize("options", [(), ("--delay", "2h", "--at", "2026-11-22T07:00:00Z")])
def test_one_instant_is_named(api: FakeApi, timegate: Timegate, options: tuple[str, ...]) -> None:
    """Without one, or with two, nothing is asked."""
    outcome = timegate("runs", "reschedule", RUN_ID, *options)

    assert (outcome.code, api.asked) == (2, [])
    assert "Say --at or --delay" in outcome.err
