"""Ports that web hooks may reach, and credentials that must not go in the clear."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.factories import TENANT
from tests.unit.domain.jobs.test_webhook_rules import refusal
from timegate.domain.actions.kinds.webhook import Wait, WebhookAction
from timegate.domain.actions.port_ranges import WEB_PORTS
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.rules.call_rules import check_addresses, check_question
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.secrets import SecretRef


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        *(("https://example.com/", True), ("http://example.com/", True)),
        *(("https://example.com:442/", False), ("https://example.com:443/", True)),
        *(("https://example.com:444/", False), ("http://example.com:79/", False)),
        *(("http://example.com:80/", True), ("http://example.com:81/", False)),
        *(("https://example.com:8442/", False), ("https://example.com:8443/", True)),
        *(("https://example.com:8445/", True), ("https://example.com:8446/", False)),
    ],
)
def test_a_port_is_one_that_the_stage_names(url: str, *, allowed: bool) -> None:
    """A stage that names no ports allows those of the web."""
    rules = TargetRules(allowed_ports=(*WEB_PORTS, range(8443, 8446)))

    assert (refusal(WebhookAction(url=url), rules) is None) is allowed
    if not allowed:
        assert refusal(WebhookAction(url=url), rules) == ("url", "port_not_allowed")


def test_a_private_host_is_reached_on_listed_ports_only() -> None:
    """A stage that lets its network be reached does not open every service in it."""
    rules = TargetRules(private_hosts=("erp.corp.internal",))

    assert refusal(WebhookAction(url="http://erp.corp.internal/"), rules) is None
    assert refusal(WebhookAction(url="http://erp.corp.internal:6379/"), rules) == (
        "url",
        "port_not_allowed",
    )


REF = SecretRef(ssm_parameter="/timegate-target/acme/crm")
CREDENTIALS: dict[str, dict[str, Any]] = {
    "a secret header": {"secret_headers": {"X-Crm": REF}},
    "a signature": {"signing_secret": REF},
    "a callback token": {"wait": Wait.CALLBACK},
}


@pytest.mark.parametrize("fields", CREDENTIALS.values(), ids=CREDENTIALS.keys())
def test_credentials_go_over_https(fields: dict[str, Any]) -> None:
    """Any host on the way could read them; a network of the operator's own is exempt."""
    rules = TargetRules(
        allowed_secrets=("arn:aws:ssm:*:*:parameter/timegate-target/{tenant}/*",),
        private_hosts=("*.corp.internal",),
    )
    plain = WebhookAction(url="http://hooks.example.com/", **fields)

    assert refusal(plain, rules) == ("url", "https_required")
    assert refusal(replace(plain, url="HTTP://hooks.example.com/"), rules) == (
        "url",
        "https_required",
    )
    assert refusal(replace(plain, url="https://hooks.example.com/"), rules) is None
    assert refusal(replace(plain, url="http://erp.corp.internal/"), rules) is None


def test_a_hook_without_credentials_may_go_in_the_clear() -> None:
    """It says nothing that is secret."""
    assert refusal(WebhookAction(url="http://hooks.example.com/")) is None


def test_signed_notifications_and_conditions_go_over_https() -> None:
    """Notifications and conditions follow the rule of actions."""
    rules = TargetRules(allowed_secrets=("arn:aws:ssm:*:*:parameter/timegate-target/{tenant}/*",))
    url = "http://hooks.example.com/"
    with pytest.raises(InvalidInput) as notified:
        check_addresses(
            [Subscription(channel=WebhookChannel(url=url, signing_secret=REF), on=())],
            rules,
            TENANT,
        )
    with pytest.raises(InvalidInput) as asked:
        check_question(Condition(url=url, signing_secret=REF), rules, TENANT)

    assert (notified.value.field, notified.value.code) == ("notifications.0.url", "https_required")
    assert (asked.value.field, asked.value.code) == ("before.url", "https_required")
