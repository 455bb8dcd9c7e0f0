"""Chats: the address is a secret, which no failure and no answer shows."""

import pytest

from tests.unit.adapters.targets.calls import call_factory
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, reply
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, private_rules, sender
from timegate.adapters.targets.kinds.chat import ChatTarget
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.channels.chat import ChatPost
from timegate.domain.execution.call import Answer
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

PATH = "/services/T00000000/B00000000/s3cr3t"
ACTION = ChatPost(url_secret=SecretRef(ssm_parameter="/chat"))


def post(url: str, rules: TargetRules | None = None) -> Answer:
    """Post to the address that the secret has."""
    with sender("127.0.0.1") as webhook:
        chat = ChatTarget(webhook, knowing(chat=url), rules or private_rules("127.0.0.1"))
        return chat.invoke(call_factory(), ACTION)


def said_to(url: str) -> str:
    """Post to an address; what is kept of the answer."""
    try:
        return post(url).text
    except TargetFailed as failed:
        return failed.failure.message


def test_the_payload_is_posted_to_the_secret_address(target: LocalTarget) -> None:
    """The body is JSON; an order to continue in the answer is not followed."""
    target.script = reply(200, b'{"timegate": {"continue": true}}')
    answer = post(target.url(PATH))
    (request,) = target.requests

    assert (request.method, request.path) == ("POST", PATH)
    assert request.body == '{"report": "sales"}'
    assert request.headers["Content-Type"] == "application/json"
    assert answer.continuation is None


@pytest.mark.parametrize("status", [200, 404, 503])
def test_an_echo_of_the_address_is_taken_out(target: LocalTarget, status: int) -> None:
    """Answers and failures keep neither the whole address nor its path."""
    url = target.url(PATH)
    target.script = reply(status, f"no hook at {PATH}, asked for {url}".encode())
    said = said_to(url)

    assert "no hook at [redacted], asked for [redacted]" in said
    assert "s3cr3t" not in said


@pytest.mark.parametrize("status", [200, 503])
def test_no_half_of_the_address_stays_where_an_answer_is_cut(
    target: LocalTarget, status: int
) -> None:
    """Most of a key lets its holder guess the rest."""
    target.script = reply(status, f"{'x' * 440} {target.url(PATH)} is no hook".encode())

    assert "/services/" not in said_to(target.url(PATH))


@pytest.mark.parametrize("shown", ["s3cr3t-of-the-room-1", "s3cr3t+of/the=query2"])
def test_a_key_within_the_address_is_taken_out_by_itself(target: LocalTarget, shown: str) -> None:
    """Services name the key that they refuse, and not the whole address."""
    url = target.url("/workflows/s3cr3t-of-the-room-1?v=1&sig=s3cr3t%2Bof%2Fthe%3Dquery2")
    target.script = reply(403, f"no key {shown}.".encode())

    assert said_to(url).endswith("no key [redacted].")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        pytest.param("no address", "invalid_url", id="no-address"),
        pytest.param("http://chat.example.com/s3cr3t", "https_required", id="in-the-clear"),
        pytest.param("https://10.0.0.1/s3cr3t", "address_not_allowed", id="inside"),
    ],
)
def test_an_address_that_no_web_hook_may_have_is_not_called(url: str, code: str) -> None:
    """The rules are those of web hooks; the refusal names the secret, and not its text."""
    with pytest.raises(TargetFailed) as refused:
        post(url, TargetRules())
    failure = refused.value.failure

    assert (failure.kind, failure.code) == ("permanent", "secret_unusable")
    assert failure.message == f"The secret /chat has no address that may be called: {code}"
