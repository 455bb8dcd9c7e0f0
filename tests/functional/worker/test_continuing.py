"""Handlers that have more to do: their runs go on in another slice."""

from typing import Any

import pytest

from tests.functional.worker.client import AWAY, LOST, FakeClient, task_of
from timegate.client import ProblemError
from timegate.worker import Context, Continue
from timegate.worker.holding import Hold
from timegate.worker.outcomes import Broke, Outcome
from timegate.worker.report_outcome import say
from timegate.worker.runners import ThreadRunner

MORE = Continue(checkpoint={"row": 7}, delay_seconds=5)
NOT_ALLOWED = ProblemError(status=409, code="continue_not_allowed", detail="No long runs.")
TOO_LARGE = ProblemError(status=400, code="checkpoint_too_large", detail="Too large.")


def worked(client: FakeClient, returned: object) -> Outcome:
    """Return the outcome of a handler's return value."""

    def handler(_: Context) -> object:
        return returned

    return ThreadRunner().work(handler, Hold(client, task_of()))  # type: ignore[arg-type]


def test_a_run_goes_on_where_its_handler_says() -> None:
    """Said until it is on record."""
    client = FakeClient(ending_errors=[AWAY])
    outcome = worked(client, MORE)
    say(client, task_of(), outcome, sleep=lambda _: None)  # type: ignore[arg-type]

    assert outcome == MORE
    assert client.said == [
        ("continue", "run-1", {"checkpoint": {"row": 7}, "delay_seconds": 5}),
    ]


def test_a_checkpoint_that_is_no_json_fails_the_run() -> None:
    """The result of any handler is refused alike."""
    outcome = worked(FakeClient(), Continue(checkpoint=object()))

    assert isinstance(outcome, Broke)
    assert (outcome.code, outcome.retryable) == ("invalid_result", False)


@pytest.mark.parametrize("refusal", [NOT_ALLOWED, TOO_LARGE], ids=lambda error: error.code)
def test_a_run_that_may_not_go_on_has_failed(refusal: ProblemError) -> None:
    """To say nothing would look like a worker that died of it."""
    client = FakeClient(ending_errors=[refusal])
    say(client, task_of(), MORE)  # type: ignore[arg-type]
    ((what, _, told),) = client.said
    failure: Any = told

    assert what == "fail"
    assert (failure["error"]["code"], failure["retryable"]) == (refusal.code, False)


def test_a_run_that_was_lost_goes_on_without_it() -> None:
    """It is another worker's; nothing is said of it."""
    client = FakeClient(ending_errors=[LOST])
    say(client, task_of(), MORE)  # type: ignore[arg-type]

    assert client.said == []
