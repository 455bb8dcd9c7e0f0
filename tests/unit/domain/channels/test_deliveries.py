"""Channels: each kind's call for a notice, and hostile texts in it."""

import json
from dataclasses import replace
from typing import Any

import pytest

from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.channels.channel import CHANNELS, Channel
from timegate.domain.channels.chat import ChatPost
from timegate.domain.channels.eventbridge import EventBridgeChannel
from timegate.domain.channels.notice import Fact, Notice, as_words, shortened
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.teams import TeamsChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.values.secrets import SecretRef

TOPIC = "arn:aws:sns:eu-central-1:111122223333:timegate-target-acme-oncall"
BUS = "arn:aws:events:eu-central-1:111122223333:event-bus/timegate-target-acme"
SECRET = SecretRef(ssm_parameter="/timegate-target/acme/chat")
HOSTILE = "<!channel> [free](https://evil.example) & *bold*"
NOTICE = Notice(
    type="run.failed",
    document='{"type":"run.failed"}',
    headline="nightly failed",
    facts=(Fact(label="Attempt", text="3"), Fact(label="Error", text=HOSTILE)),
    link="https://console.example.com/runs/r1",
)
EVERY: list[Channel] = [
    WebhookChannel(url="https://alerts.example.com"),
    SnsChannel(topic_arn=TOPIC),
    SlackChannel(url_secret=SECRET),
    TeamsChannel(url_secret=SECRET),
    EventBridgeChannel(bus_arn=BUS),
]


def payload(channel: Channel, notice: Notice = NOTICE) -> Any:  # noqa: ANN401 - any JSON
    """Return what a channel is sent."""
    return json.loads(channel.delivery(notice).payload)


def test_every_kind_is_tried() -> None:
    """A kind that is registered and not listed here would be sent nothing by these tests."""
    assert [type(each) for each in EVERY] == list(CHANNELS.values())


def test_a_web_hook_gets_the_document_signed() -> None:
    """By the request that it always was."""
    channel = WebhookChannel(url="https://alerts.example.com", signing_secret=SECRET)
    delivery = channel.delivery(NOTICE)

    assert delivery.action == WebhookAction(url=channel.url, signing_secret=SECRET)
    assert delivery.payload == NOTICE.document


def test_a_topic_gets_words_for_mail_and_the_document_for_programs() -> None:
    """A text message has what happened, and no more."""
    delivery = SnsChannel(topic_arn=TOPIC).delivery(NOTICE)

    assert delivery.action == SnsAction(
        topic_arn=TOPIC, subject="Timegate: nightly failed", message_structure="json"
    )
    assert json.loads(delivery.payload) == {
        "default": NOTICE.document,
        "email": as_words(NOTICE),
        "sms": "nightly failed",
    }
    delivery.action.check_payload(delivery.payload)


@pytest.mark.parametrize(
    ("headline", "subject"),
    [
        pytest.param("Übersicht failed", "Timegate: ?bersicht failed", id="not-ascii"),
        pytest.param("a\nb failed", "Timegate: a b failed", id="line-break"),
        pytest.param("x" * 89, "Timegate: " + "x" * 89, id="fits"),
        pytest.param("x" * 90, "Timegate: " + "x" * 88 + "~", id="too-long"),
    ],
)
def test_a_subject_is_what_sns_takes(headline: str, subject: str) -> None:
    """Under 100 characters of ASCII on one line."""
    action = SnsChannel(topic_arn=TOPIC).delivery(replace(NOTICE, headline=headline)).action

    assert isinstance(action, SnsAction)
    assert action.subject == subject


def test_a_bus_gets_an_event_of_the_notices_type() -> None:
    """Rules match it without reading the document."""
    delivery = EventBridgeChannel(bus_arn=BUS).delivery(NOTICE)

    assert delivery.action == EventBridgeAction(
        bus_arn=BUS, source="timegate", detail_type="run.failed"
    )
    assert delivery.payload == NOTICE.document


def test_slack_reads_no_mark_up_in_what_users_wrote() -> None:
    """Mentions and links begin with a character that is escaped; text blocks are plain."""
    message = payload(SlackChannel(url_secret=SECRET), replace(NOTICE, headline=HOSTILE))
    header, section, context = message["blocks"]
    texts = [header["text"], *section["fields"]]

    assert {text["type"] for text in texts} == {"plain_text"}
    assert [text["text"] for text in texts] == [
        "&lt;!channel&gt; [free](https://evil.example) &amp; *bold*",
        "Attempt\n3",
        "Error\n&lt;!channel&gt; [free](https://evil.example) &amp; *bold*",
    ]
    assert "<" not in message["text"]
    assert context["elements"] == [
        {"type": "mrkdwn", "text": f"<{NOTICE.link}|Open it in the console>"}
    ]


def test_slack_gets_no_more_than_it_takes() -> None:
    """150 characters of a header, ten fields, and no empty section."""
    facts = tuple(Fact(label=str(number), text="x") for number in range(11))
    header, section = payload(
        SlackChannel(url_secret=SECRET),
        Notice(type="t", document="{}", headline="x" * 151, facts=facts),
    )["blocks"]
    bare = payload(SlackChannel(url_secret=SECRET), Notice(type="t", document="{}", headline="x"))

    assert len(header["text"]["text"]) == 150
    assert header["text"]["text"].endswith("…")
    assert len(section["fields"]) == 10
    assert [block["type"] for block in bare["blocks"]] == ["header"]


def test_slack_counts_characters_as_they_are_sent() -> None:
    """An escaped character takes four or five, and none is cut in two."""
    notice = Notice(type="t", document="{}", headline="R&D <nightly> " * 12)
    (header,) = payload(SlackChannel(url_secret=SECRET), notice)["blocks"]
    text = header["text"]["text"]
    whole = notice.headline.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    assert 140 < len(text) <= 150
    assert text.endswith("…")
    assert whole.startswith(text[:-1])
    assert "&" not in text[-5:-1]


def test_teams_gets_a_card_of_rich_text() -> None:
    """Teams reads Markdown in text blocks, and none in rich text."""
    message = payload(TeamsChannel(url_secret=SECRET))
    (attachment,) = message["attachments"]
    card = attachment["content"]

    assert (message["type"], attachment["contentType"]) == (
        "message",
        "application/vnd.microsoft.card.adaptive",
    )
    assert {block["type"] for block in card["body"]} == {"RichTextBlock"}
    assert [[run["text"] for run in block["inlines"]] for block in card["body"]] == [
        ["nightly failed"],
        ["Attempt: ", "3"],
        ["Error: ", HOSTILE],
    ]
    assert [action["url"] for action in card["actions"]] == [NOTICE.link]
    assert (
        "actions"
        not in payload(TeamsChannel(url_secret=SECRET), replace(NOTICE, link=None))["attachments"][
            0
        ]["content"]
    )


def test_a_chat_is_called_by_the_place_of_its_address() -> None:
    """The address itself is read at the call."""
    for channel in (SlackChannel(url_secret=SECRET), TeamsChannel(url_secret=SECRET)):
        assert channel.delivery(NOTICE).action == ChatPost(url_secret=SECRET)
        assert channel.address == "/timegate-target/acme/chat"


def test_a_channel_is_the_same_as_long_as_it_leads_there() -> None:
    """Kinds differ by their ids where their addresses do not; a signature changes none."""
    ids = [channel.id for channel in EVERY]
    url = "https://alerts.example.com"

    assert len(set(ids)) == len(EVERY)
    assert {len(each) for each in ids} == {8}
    assert WebhookChannel(url=url, signing_secret=SECRET).id == WebhookChannel(url=url).id
    assert (
        SlackChannel(url_secret=replace(SECRET, json_key="a")).id
        != SlackChannel(url_secret=SECRET).id
    )


def test_words_are_cut_and_lie_on_one_line() -> None:
    """Control characters steer nothing, and the last character says that there was more."""
    assert shortened("a\r\n\x1b[31mb  c") == "a [31mb c"
    assert shortened("x" * 300) == "x" * 300
    assert shortened("x" * 301) == "x" * 299 + "…"


def test_mail_is_lines_of_plain_text() -> None:
    """The link stands by itself, so that readers of mail find it."""
    assert as_words(NOTICE) == (
        f"nightly failed\n\nAttempt: 3\nError: {HOSTILE}\n\nhttps://console.example.com/runs/r1"
    )
    assert as_words(Notice(type="t", document="{}", headline="h")) == "h\n"
