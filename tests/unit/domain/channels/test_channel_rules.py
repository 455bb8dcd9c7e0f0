"""Rules of channels: those of the actions that call them, under the channel's own fields."""

import pytest

from tests.support.factories import TENANT
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.channels.channel import Channel
from timegate.domain.channels.eventbridge import EventBridgeChannel
from timegate.domain.channels.slack import SlackChannel
from timegate.domain.channels.sns import SnsChannel
from timegate.domain.channels.teams import TeamsChannel
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef

TOPIC = "arn:aws:sns:us-east-1:111122223333:timegate-target-oncall"
BUS = "arn:aws:events:us-east-1:111122223333:event-bus/timegate-target"
RULES = TargetRules(
    allowed={"sns": (TOPIC,), "eventbridge": (BUS,)},
    allowed_secrets=("arn:aws:ssm:us-east-1:111122223333:parameter/timegate-target/{tenant}/*",),
)
OWN = SecretRef(ssm_parameter=f"/timegate-target/{TENANT}/slack")
ANOTHERS = SecretRef(ssm_parameter="/timegate-target/another/slack")


@pytest.mark.parametrize(
    "channel",
    [
        pytest.param(WebhookChannel(url="https://alerts.example.com"), id="webhook"),
        pytest.param(SnsChannel(topic_arn=TOPIC), id="sns"),
        pytest.param(EventBridgeChannel(bus_arn=BUS), id="eventbridge"),
        pytest.param(SlackChannel(url_secret=OWN), id="slack"),
        pytest.param(TeamsChannel(url_secret=OWN), id="teams"),
    ],
)
def test_a_channel_of_the_tenants_is_taken(channel: Channel) -> None:
    """It is on the lists that jobs' targets are on."""
    channel.check("channels.0", RULES, TENANT)


@pytest.mark.parametrize(
    ("channel", "field", "code"),
    [
        pytest.param(WebhookChannel(url="ftp://x"), "url", "invalid_url", id="no-http"),
        pytest.param(
            WebhookChannel(url="http://x.example.com", signing_secret=OWN),
            "url",
            "https_required",
            id="signed-in-the-clear",
        ),
        pytest.param(
            SnsChannel(topic_arn=f"{TOPIC}2"), "topic_arn", "target_not_allowed", id="sns"
        ),
        pytest.param(SnsChannel(topic_arn=BUS), "topic_arn", "invalid_arn", id="no-topic"),
        pytest.param(
            EventBridgeChannel(bus_arn=f"{BUS}2"), "bus_arn", "target_not_allowed", id="bus"
        ),
        pytest.param(
            SlackChannel(url_secret=ANOTHERS), "url_secret", "secret_not_allowed", id="slack"
        ),
        pytest.param(
            TeamsChannel(url_secret=SecretRef()), "url_secret", "required", id="no-secret"
        ),
    ],
)
def test_what_the_tenant_may_not_call_is_refused(channel: Channel, field: str, code: str) -> None:
    """The field is the channel's, and not that of an action that no caller wrote."""
    with pytest.raises(InvalidInput) as refused:
        channel.check("channels.0", RULES, TENANT)

    assert (refused.value.field, refused.value.code) == (f"channels.0.{field}", code)
