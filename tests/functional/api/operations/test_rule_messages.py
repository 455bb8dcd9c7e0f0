"""Messages of notification rules over HTTP: who was told what, what waits, and another try."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.execution.failing import BUSY, GONE
from tests.support.factories import OTHER_TENANT, TENANT
from tests.support.ruling import look
from timegate.domain.execution.notices import RETRY

RULES = "/v1/notification-rules"
CHANNELS = [{"url": "https://alerts.example.com/timegate"}]
QUIET = {"windows": [{"opens": "00:00", "closes": "00:00"}]}


def failing(api: Api) -> None:
    """A run fails for good; messages that are on their way have arrived."""
    api.world.settle()
    api.world.target.then(GONE)
    api.create(schedule={"kind": "immediate"}, retry={"max_attempts": 1})
    api.world.settle()


@pytest.fixture
def told(api: Api) -> Api:
    """A rule has told of two failures, in a message each."""
    api.send("PUT", f"{RULES}/ops", {"when": {"failures_in_a_row": 1}, "channels": CHANNELS})
    for _ in range(2):
        failing(api)
        api.world.clock.advance(60)
        look(api.world)
    return api


def messages(api: Api, query: str = "") -> dict[str, Any]:
    """Return the rule's messages."""
    body: dict[str, Any] = api.send("GET", f"{RULES}/ops/messages{query}").body
    return body


def test_messages_are_listed_the_last_one_first(told: Api) -> None:
    """With the channel, the events and how far the delivery came."""
    told.world.settle()
    body = messages(told)
    last, first = body["items"]

    assert last["told_at"] > first["told_at"]
    assert last["channel"] == {"type": "webhook", "address": CHANNELS[0]["url"]}
    assert [each["type"] for each in last["message"]["events"]] == ["failures"]
    assert (last["state"], last["attempt"], last["error"]) == ("succeeded", 1, None)
    assert body["held"] == {"events": [], "more": 0}


def test_a_message_is_read_as_a_run_that_says_what_it_tells(told: Api) -> None:
    """Its job is none that can be read: the message names the rule. Other runs tell nothing."""
    last = messages(told)["items"][0]
    run = told.send("GET", f"/v1/runs/{last['notification_id']}").body
    about = last["message"]["events"][0]["run"]["run_id"]

    assert run["message"] == last["message"]
    assert run["message"]["rule"]["name"] == "ops"
    assert told.send("GET", f"/v1/jobs/{run['job_id']}").status == 404
    assert told.send("GET", f"/v1/runs/{about}").body["message"] is None


def test_they_come_in_pages_and_by_instants(told: Api) -> None:
    """A cursor leads on; a range keeps to its instants."""
    whole = messages(told)["items"]
    page = messages(told, "?limit=1")
    rest = messages(told, f"?limit=1&cursor={page['next_cursor']}")
    since = messages(told, f"?from={whole[0]['told_at']}")

    assert page["items"] + rest["items"] == whole
    assert rest["next_cursor"] is None
    assert since["items"] == whole[:1]


def test_a_message_that_cannot_be_read_hides_no_other(told: Api) -> None:
    """The page names it, and operators are told of its record."""
    last, first = messages(told)["items"]
    damaged = last["notification_id"]
    (attempt,) = [each for each in told.world.attempts() if str(each.id.run) == damaged]
    told.world.tables.damaged.add((TENANT, attempt.id))
    body = messages(told)
    (event,) = told.world.telemetry.named("run_damaged")

    assert [each["notification_id"] for each in body["items"]] == [first["notification_id"]]
    assert body["damaged"] == {"count": 1, "names": [damaged]}
    assert event.fields["record"] == str(attempt.id)


def test_events_of_quiet_hours_are_shown_as_held(told: Api) -> None:
    """None is a message yet."""
    when = {"failures_in_a_row": 1}
    told.send("PUT", f"{RULES}/ops", {"when": when, "channels": CHANNELS, "quiet_hours": QUIET})
    failing(told)
    told.world.clock.advance(60)
    look(told.world)
    body = messages(told)

    assert len(body["items"]) == 2
    assert [each["type"] for each in body["held"]["events"]] == ["failures"]


def test_a_channel_that_was_given_up_is_shown_without(told: Api) -> None:
    """The message tells what it was; its address is the rule's no more."""
    other = {"when": {"dead_letter": True}, "channels": [{"url": "https://other.example.com/t"}]}
    told.send("PUT", f"{RULES}/ops", other)

    assert [each["channel"] for each in messages(told)["items"]] == [None, None]


def test_another_tenants_rule_is_none(told: Api) -> None:
    """Nor is one that was never given."""
    for answer in (
        told.send("GET", f"{RULES}/ops/messages", tenant=OTHER_TENANT),
        told.send("GET", f"{RULES}/other/messages"),
    ):
        assert (answer.status, answer.body["code"]) == (404, "rule_not_found")


def given_up(api: Api) -> str:
    """The id of a message whose channel never took it."""
    api.send("PUT", f"{RULES}/ops", {"when": {"failures_in_a_row": 1}, "channels": CHANNELS})
    failing(api)
    api.world.clock.advance(60)
    look(api.world)
    for _ in range(RETRY.max_attempts):
        api.world.target.then(BUSY)
    for _ in range(RETRY.max_attempts):
        api.world.stream()
        api.world.settle()
        api.world.clock.advance(RETRY.max_delay_seconds)
        api.world.sweep()
    (letter,) = api.send("GET", "/v1/dead-letters").body["items"]
    run_id: str = letter["run_id"]
    return run_id


def test_a_message_that_was_given_up_is_redriven(api: Api) -> None:
    """It is redriven like any notification, and the rule's list shows its arrival."""
    letter = given_up(api)
    (before,) = messages(api)["items"]
    shown = api.send("GET", f"/v1/dead-letters/{letter}")
    redriven = api.send("POST", f"/v1/dead-letters/{letter}/redrive")
    api.world.settle()
    (after,) = messages(api)["items"]

    assert (before["notification_id"], before["state"]) == (letter, "dead_lettered")
    assert shown.status == 200
    assert redriven.status == 202
    assert (after["notification_id"], after["state"]) == (letter, "succeeded")
    assert after["attempt"] == before["attempt"] + 1


def test_a_message_of_a_deleted_rule_is_discarded_and_not_redriven(api: Api) -> None:
    """A deleted rule has no channel to send to."""
    letter = given_up(api)
    api.send("DELETE", f"{RULES}/ops")
    refused = api.send("POST", f"/v1/dead-letters/{letter}/redrive")
    discarded = api.send("POST", f"/v1/dead-letters/{letter}/discard")

    assert (refused.status, refused.body["code"]) == (404, "rule_not_found")
    assert discarded.status == 200


@pytest.mark.parametrize("enabled", [True, False])
def test_a_test_message_reaches_each_channel(api: Api, *, enabled: bool) -> None:
    """In quiet hours too, and of a rule that is turned off; its document says that it is a test."""
    rule = {"when": {"failures_in_a_row": 1}, "channels": CHANNELS, "quiet_hours": QUIET}
    api.send("PUT", f"{RULES}/ops", {**rule, "enabled": enabled})
    sent = api.send("POST", f"{RULES}/ops/test")
    api.world.settle()
    (listed,) = messages(api)["items"]
    (event,) = listed["message"]["events"]

    assert sent.status == 200
    assert [each["notification_id"] for each in sent.body["messages"]] == [
        listed["notification_id"]
    ]
    assert (listed["state"], listed["channel"]["address"]) == ("succeeded", CHANNELS[0]["url"])
    assert (event["type"], event["job"], event["run"]) == ("test", None, None)
    assert event["text"] == "This is a test of the notification rule ops. Nothing has happened."
    assert messages(api)["held"] == {"events": [], "more": 0}


def test_a_test_that_is_asked_for_twice_at_once_is_sent_once(api: Api) -> None:
    """A repeated request is; one of ten seconds later, or of another version, is another one."""
    rule = {"when": {"failures_in_a_row": 1}, "channels": CHANNELS}
    api.send("PUT", f"{RULES}/ops", rule)
    counts = []
    for seconds in (0, 9, 1):
        api.world.clock.advance(seconds)
        api.send("POST", f"{RULES}/ops/test")
        counts.append(len(messages(api)["items"]))
    api.send("PUT", f"{RULES}/ops", {**rule, "description": "another version"})
    api.send("POST", f"{RULES}/ops/test")

    assert (counts, len(messages(api)["items"])) == ([1, 1, 2], 3)


def test_a_rule_that_does_not_exist_tells_nothing(api: Api) -> None:
    """Also where another tenant has one of that name."""
    api.send("PUT", f"{RULES}/ops", {"when": {"dead_letter": True}, "channels": CHANNELS})
    answer = api.send("POST", f"{RULES}/ops/test", tenant=OTHER_TENANT)

    assert (answer.status, answer.code) == (404, "rule_not_found")
