"""A redrive that is asked for again, because its caller does not know whether it was heard."""

from typing import Any

import pytest

from tests.functional.api.operations.test_dead_letters import PATH, give_up
from tests.support.api import Answer, Api

KEY = {"Idempotency_Key": "after-the-outage"}


@pytest.fixture
def run_id(api: Api) -> str:
    """A run that was given up."""
    return give_up(api, payload={"to": "bob"})


def redrive(api: Api, run_id: str, body: Any = None, **headers: str) -> Answer:  # noqa: ANN401
    """Ask for it, with a key unless it is taken away."""
    return api.send("POST", f"{PATH}/{run_id}/redrive", body, **(KEY | headers))


@pytest.mark.parametrize("body", [None, {"note": "again"}, {"payload": {"to": "all"}}])
def test_a_redrive_with_a_key_happens_once(api: Api, run_id: str, body: Any) -> None:  # noqa: ANN401
    """A caller that repeats it hears what became of the run, also once that has ended."""
    first = redrive(api, run_id, body)
    second = redrive(api, run_id, body)
    api.world.settle()
    third = redrive(api, run_id, body)

    assert [each.status for each in (first, second, third)] == [202, 200, 200]
    assert second.headers["idempotency-replayed"] == "true"
    assert second.body == first.body
    assert [len(each.body["attempts"]) for each in (first, third)] == [2, 2]
    assert third.body["state"] == "succeeded"


def test_a_redrive_without_fields_is_one_without_a_body(api: Api, run_id: str) -> None:
    """An empty object says no more than no body."""
    first, second = redrive(api, run_id, {}), redrive(api, run_id, None)

    assert (first.status, second.status) == (202, 200)


@pytest.mark.parametrize(
    ("body", "headers", "code"),
    [
        pytest.param({"note": "other"}, {}, "idempotency_conflict", id="another-wish"),
        pytest.param(None, {"Idempotency_Key": "other"}, "not_dead_lettered", id="another-key"),
    ],
)
def test_another_request_is_no_repetition(
    api: Api,
    run_id: str,
    body: object,
    headers: dict[str, str],
    code: str,
) -> None:
    """It would have done something else, or comes from another caller."""
    redrive(api, run_id)
    answer = redrive(api, run_id, body, **headers)

    assert (answer.status, answer.body["code"]) == (409, code)


def test_a_key_that_cannot_be_read_is_refused(api: Api, run_id: str) -> None:
    """Nothing was done."""
    answer = redrive(api, run_id, Idempotency_Key="a b")

    assert [each["code"] for each in answer.body["errors"]] == ["invalid_idempotency_key"]
    assert redrive(api, run_id).status == 202


def test_a_correction_that_the_target_cannot_read_is_refused(api: Api) -> None:
    """A topic that takes a message for each protocol; the run stays a dead letter."""
    topic = "arn:aws:sns:eu-west-1:111122223333:timegate-target-x"
    action = {"type": "sns", "topic_arn": topic, "message_structure": "json"}
    run_id = give_up(api, action=action, payload={"default": "text"})
    refused = redrive(api, run_id, {"payload": {"sms": "text"}})
    corrected = redrive(api, run_id, {"payload": {"default": "another"}})

    assert (refused.status, refused.fields) == (400, [("payload", "no_default_message")])
    assert corrected.status == 202
