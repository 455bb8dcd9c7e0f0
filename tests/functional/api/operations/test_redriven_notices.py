"""Notifications are dead letters as well: their text is that of their occasion, and no payload."""

from typing import Any

import pytest

from tests.support.api import Api
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.notices import RETRY
from timegate.domain.jobs.retry import Failure, FailureKind

PATH = "/v1/dead-letters"
CHANNEL = "https://alerts.example.com/timegate"
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")
BOB, ANN = {"to": "bob"}, {"to": "ann"}


@pytest.fixture
def letters(api: Api) -> dict[str, str]:
    """A run that was given up, and the notification of that, which was given up as well."""
    api.world.target.then(*[BUSY] * (1 + RETRY.max_attempts))
    api.create(
        schedule={"kind": "immediate"},
        retry={"max_attempts": 1},
        payload=BOB,
        notifications=[{"url": CHANNEL, "on": ["dead_lettered"]}],
    )
    for _ in range(RETRY.max_attempts + 1):
        api.world.settle()
        api.world.clock.advance(1_800)
        api.world.sweep()
        api.world.stream()
    found = [row["run_id"] for row in api.send("GET", PATH).body["items"]]
    notice, run = found
    return {"notice": notice, "run": run, "job_id": run.partition(".")[0]}


def sent(api: Api) -> dict[str, str | None]:
    """Return the last message to each address."""
    calls = api.world.target.calls
    return {c.action.url: c.payload for c in calls if isinstance(c.action, WebhookAction)}


def test_a_payload_for_many_is_for_runs_of_the_job(api: Api, letters: dict[str, str]) -> None:
    """The channel hears of the occasion, and never of the payload."""
    asked: dict[str, Any] = {"payload": ANN, "filter": {"job_id": letters["job_id"]}}
    before = sent(api)[CHANNEL]
    answer = api.send("POST", f"{PATH}/redrive", asked)
    api.world.settle()
    after = sent(api)

    assert answer.status == 202
    assert after.pop(CHANNEL) == before
    assert [*after.values()] == ['{"to":"ann"}']
    corrected = {
        name: api.send("GET", f"/v1/runs/{letters[name]}").body["attempts"][-1]["payload_corrected"]
        for name in ("notice", "run")
    }
    assert corrected == {"notice": False, "run": True}


def test_a_notification_takes_no_payload(api: Api, letters: dict[str, str]) -> None:
    """Without one it is tried again as it was."""
    target = f"{PATH}/{letters['notice']}/redrive"
    refused = [api.send("POST", target, {"payload": payload}) for payload in (ANN, None)]
    taken = api.send("POST", target)

    assert {(each.status, *each.fields) for each in refused} == {
        (400, ("payload", "not_for_this_kind"))
    }
    assert taken.status == 202
