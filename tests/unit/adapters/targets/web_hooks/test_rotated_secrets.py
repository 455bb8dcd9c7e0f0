"""Rotated secrets: the refusal of an old one that is remembered costs a retry, not the run."""

from collections.abc import Callable

import pytest

from tests.support.factories import NOW
from tests.support.values.signing import OLD_KEY, SIGNING_KEY
from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, reply
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, private_rules
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.failures import permanent
from timegate.adapters.targets.kinds.chat import ChatTarget
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.adapters.targets.webhook_credentials import ReadSecret
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.channels.chat import ChatPost
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

RULES = private_rules("127.0.0.1")
CRM, KEYS, CHAT = (SecretRef(ssm_parameter=f"/{name}") for name in ("crm", "keys", "chat"))


def failure(call: Callable[[], object]) -> Failure:
    with pytest.raises(TargetFailed) as failed:
        call()
    return failed.value.failure


def sent(target: LocalTarget, old: ReadSecret, current: ReadSecret) -> Failure:
    """Send a web hook with a header and a signature; return its failure."""
    webhook = WebhookTarget(MemoryClock(NOW), old, RULES, read_anew=current)
    action = WebhookAction(
        url=target.url(), secret_headers={"Authorization": CRM}, signing_secret=KEYS
    )
    try:
        return failure(lambda: webhook.invoke(call_factory(), action))
    finally:
        webhook.close()


def posted(target: LocalTarget, path: str) -> Failure:
    """Post to a chat whose address has another path by now."""
    webhook = WebhookTarget(MemoryClock(NOW), knowing(), RULES)
    old, current = (knowing(chat=target.url(each)) for each in ("/hooks/old-key", path))
    chat = ChatTarget(webhook, old, RULES, read_anew=current)
    try:
        return failure(lambda: chat.invoke(call_factory(), ChatPost(url_secret=CHAT)))
    finally:
        webhook.close()


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(
    "current",
    [
        pytest.param({"crm": "new", "keys": SIGNING_KEY}, id="header"),
        pytest.param({"crm": "old", "keys": OLD_KEY}, id="signature"),
    ],
)
def test_a_refusal_of_an_old_secret_may_be_tried_again(
    target: LocalTarget, status: int, current: dict[str, str]
) -> None:
    """The retry policy decides about the next attempt: nothing is sent twice in one."""
    target.script = reply(status, b"who are you?")
    refused = sent(target, knowing(crm="old", keys=SIGNING_KEY), knowing(**current))

    assert (refused.kind, refused.code) == (FailureKind.RETRYABLE, f"http_{status}")
    assert refused.message == (
        f"The target answered {status}: who are you?"
        " The secret has been rotated: the next attempt uses the new one."
    )
    assert len(target.requests) == 1


def test_a_refusal_of_the_current_secret_is_permanent(target: LocalTarget) -> None:
    """The same request would be refused again."""
    target.script = reply(401)
    secrets = knowing(crm="current", keys=SIGNING_KEY)

    assert sent(target, secrets, secrets).kind is FailureKind.PERMANENT


@pytest.mark.parametrize("status", [400, 404, 422])
def test_other_refusals_read_no_secret(target: LocalTarget, status: int) -> None:
    """They are about the request, not about its sender."""
    target.script = reply(status)
    refused = sent(target, knowing(crm="old", keys=SIGNING_KEY), knowing())

    assert refused.kind is FailureKind.PERMANENT


def test_a_refusal_stays_where_the_secret_is_gone(target: LocalTarget) -> None:
    """The run's record has the target's answer, and no failure of a later request of AWS."""

    def gone(tenant: TenantId, ref: SecretRef) -> str:
        raise permanent("secret_not_found", tenant, ref.place)

    target.script = reply(401)
    refused = sent(target, knowing(crm="old", keys=SIGNING_KEY), gone)

    assert (refused.kind, refused.code) == (FailureKind.PERMANENT, "http_401")


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_an_address_that_was_replaced_may_be_called_again(target: LocalTarget, status: int) -> None:
    """A chat that replaces the address of a room forgets the old one."""
    target.script = reply(status)

    assert posted(target, "/hooks/new-key").kind is FailureKind.RETRYABLE
    assert posted(target, "/hooks/old-key").kind is FailureKind.PERMANENT
