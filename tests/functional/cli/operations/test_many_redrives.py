"""``runs redrive --failed``: all that match, listed first or tried again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import RUN_ID, failed_row, operation, runs_page

Timegate = Callable[..., Outcome]

FAILED = ("runs", "redrive", "--failed")
PARAMETERS = {
    "filter": {
        "state": ["failed"],
        "reason": None,
        "error_code": "http_404",
        "job_id": None,
        "name": "nightly*",
        "tags": {"team": "a"},
        "late_seconds": None,
        "from": "2026-11-20T22:00:00.000Z",
        "to": None,
    },
    "fresh": True,
    "note": "back",
}


def started() -> dict[str, Any]:
    """The operation as the API answers."""
    return operation(kind="redrive", parameters=PARAMETERS)


def test_criteria_become_the_filter_of_an_operation(api: FakeApi, timegate: Timegate) -> None:
    """The options are those of ``runs failed``; the output names them."""
    api.will(ok(started(), 202))
    outcome = timegate(
        *(*FAILED, "--since", "2026-11-20T22:00:00Z", "--job", "nightly", "--tag", "team=a"),
        *("--state", "failed", "--error-code", "http_404", "--note", "back", "--fresh"),
    )

    assert outcome.code == 0, outcome.err
    assert api.asked == ["POST /v1/runs/redrive"]
    assert api.body == {
        "filter": {
            "state": ["failed"],
            "error_code": "http_404",
            "job_id": "key:nightly",
            "tags": {"team": "a"},
            "from": "2026-11-20T22:00:00.000Z",
        },
        "fresh": True,
        "note": "back",
    }
    shown = " ".join(outcome.out.split())
    assert "error_code http_404, name nightly*" in shown
    assert "tags team=a" in shown


def test_no_criteria_mean_every_failed_run(api: FakeApi, timegate: Timegate) -> None:
    """The option itself says so."""
    api.will(ok(started(), 202))
    timegate(*FAILED, "--idempotency-key", "k")

    assert api.body == {"filter": {"all": True}}
    assert api.calls[0].headers["Idempotency-Key"] == "k"


def test_a_dry_run_lists_and_changes_nothing(api: FakeApi, timegate: Timegate) -> None:
    """By the same criteria."""
    api.will(runs_page([failed_row(), failed_row()]))
    outcome = timegate(*FAILED, "--name", "nightly*", "--dry-run")

    assert outcome.code == 0, outcome.err
    assert [each.method for each in api.calls] == ["GET"]
    assert "name=nightly%2A" in str(api.calls[0].url)
    assert "2 failed runs match" in outcome.out


@pytest.mark.parametrize(
    "words",
    [
        ("runs", "redrive"),
        ("runs", "redrive", RUN_ID, "--failed"),
        ("runs", "redrive", RUN_ID, "--name", "a"),
        ("runs", "redrive", RUN_ID, "--dry-run"),
        ("runs", "redrive", RUN_ID, "--wait"),
        (*FAILED, "--payload", "1"),
        (*FAILED, "--dag-run", "x"),
        (*FAILED, "--event-trigger", "paid"),
    ],
    ids=" ".join,
)
def test_options_that_contradict_are_refused(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...]
) -> None:
    """Before anything is sent."""
    assert timegate(*words).code == 2
    assert api.calls == []
