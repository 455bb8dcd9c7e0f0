"""A web hook carries its secrets, and no output shows them."""

import json
from base64 import b64encode
from urllib.parse import quote

import pytest
import time_machine
from standardwebhooks import Webhook

from tests.support.factories import NOW
from tests.support.values.signing import OLD_KEY, SIGNING_KEY
from tests.unit.adapters.targets.calls import RUN_ID, call_factory, told
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget, reply
from tests.unit.adapters.targets.web_hooks.web_senders import sender
from timegate.adapters.targets.redaction import Redaction
from timegate.adapters.targets.webhook_credentials import MAX_PARTS
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.retry import FailureKind
from timegate.domain.values.secrets import SecretRef
from timegate.ports.call_runner import TargetFailed

TOKEN = "s3cr3t/token+with=signs"
BEARER = f"Bearer {TOKEN}"
CRM, KEYS = SecretRef(ssm_parameter="/crm"), SecretRef(ssm_parameter="/keys")


def action(target: LocalTarget, **headers: SecretRef) -> WebhookAction:
    """A web hook with secrets in these headers."""
    named = {name.replace("_", "-"): ref for name, ref in headers.items()}
    return WebhookAction(url=target.url(), secret_headers=named or {"Authorization": CRM})


def test_a_secret_arrives_in_its_header(target: LocalTarget) -> None:
    """The header holds the secret's text; a secret replaces a default header of Timegate."""
    with sender("127.0.0.1", crm=BEARER, agent="mine") as webhook:
        webhook.invoke(
            call_factory(),
            action(target, authorization=CRM, user_agent=SecretRef(ssm_parameter="/agent")),
        )
    (request,) = target.requests

    assert request.headers.get_all("Authorization") == [BEARER]
    assert request.headers.get_all("User-Agent") == ["mine"]


def test_a_request_is_signed_with_every_key(target: LocalTarget) -> None:
    """Over the body as it is sent, at the instant at which it is sent."""
    with sender("127.0.0.1", keys=f"{SIGNING_KEY}\n{OLD_KEY}") as webhook:
        signed = WebhookAction(url=target.url(), signing_secret=KEYS)
        webhook.invoke(call_factory(payload='{"ü": 1}'), signed)
    (request,) = target.requests
    told = dict(request.headers)

    with time_machine.travel(NOW, tick=False):
        read = [Webhook(key).verify(request.body, told) for key in (SIGNING_KEY, OLD_KEY)]

    assert read == [{"ü": 1}] * 2
    assert told["webhook-id"] == RUN_ID.replace(".", "_")
    assert told["webhook-timestamp"] == str(int(NOW.timestamp()))


def test_a_request_without_a_key_is_not_signed(target: LocalTarget) -> None:
    """It has its id, so that a receiver may remove duplicates; nothing looks like a signature."""
    with sender("127.0.0.1") as webhook:
        webhook.invoke(call_factory(), WebhookAction(url=target.url()))

    sent = target.requests[0].headers

    assert sent["webhook-id"] == RUN_ID.replace(".", "_")
    assert "webhook-signature" not in sent


@pytest.mark.parametrize(
    "secret",
    ["a\r\nHost: evil", "a\nb", "ü", "a\x00b"],
    ids=["line-break", "line-feed", "not-ascii", "control"],
)
def test_a_secret_that_is_no_header_is_not_sent(target: LocalTarget, secret: str) -> None:
    """The failure names the header, not its value."""
    with sender("127.0.0.1", crm=secret) as webhook, pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), action(target))

    assert target.requests == []
    assert told(caught.value.failure) == (
        FailureKind.PERMANENT,
        "secret_unusable",
        "SecretUnusable",
    )
    assert secret not in caught.value.failure.message


@pytest.mark.parametrize("keys", ["\n".join([SIGNING_KEY] * 6), "key-1"], ids=["six", "free-text"])
def test_a_secret_without_keys_signs_nothing(target: LocalTarget, keys: str) -> None:
    """An unsigned request would be refused, or worse, believed."""
    signed = WebhookAction(url=target.url(), signing_secret=KEYS)
    with sender("127.0.0.1", keys=keys) as webhook, pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), signed)

    assert target.requests == []
    assert caught.value.failure.code == "secret_unusable"
    assert keys not in caught.value.failure.message


def test_secrets_have_so_many_words_and_no_more(target: LocalTarget) -> None:
    """Each is looked for in the answer: 64 KB of words would take the executor 9 seconds."""
    words = [f"word-{number:03}" for number in range(MAX_PARTS)]
    with sender("127.0.0.1", few=" ".join(words[1:]), many=" ".join(words)) as webhook:
        webhook.invoke(call_factory(), action(target, x_many=SecretRef(ssm_parameter="/few")))
        with pytest.raises(TargetFailed) as caught:
            webhook.invoke(call_factory(), action(target, x_many=SecretRef(ssm_parameter="/many")))

    assert len(target.requests) == 1
    assert caught.value.failure.code == "secret_unusable"
    assert "word-0" not in caught.value.failure.message


ECHOES = {
    "header": BEARER,
    "token": TOKEN,
    "json": json.dumps({"sent": BEARER}),
    "in-a-url": quote(BEARER),
    "in-a-query": quote(TOKEN, safe=""),
    "twice": f"{TOKEN} and {TOKEN}",
    "at-the-cut": "x" * 490 + TOKEN,
}


@pytest.mark.parametrize("status", [200, 400, 503])
@pytest.mark.parametrize("echo", ECHOES.values(), ids=ECHOES.keys())
def test_an_echo_of_a_secret_is_not_kept(target: LocalTarget, echo: str, status: int) -> None:
    """Targets show the request they refuse; results and errors are read by many."""
    target.script = reply(status, echo.encode())
    with sender("127.0.0.1", crm=BEARER) as webhook:
        try:
            kept = webhook.invoke(call_factory(), action(target)).text
        except TargetFailed as failed:
            kept = failed.failure.message + str(failed)

    assert "s3cr3t" not in kept
    assert "[redacted]"[:5] in kept


@pytest.mark.parametrize(
    ("shown", "kept"),
    [
        (SIGNING_KEY, "[redacted]"),
        (SIGNING_KEY.removeprefix("whsec_").rstrip("="), "[redacted]"),
        (SIGNING_KEY.replace("/", "\\/"), "[redacted]"),
    ],
    ids=["key", "bare", "as-php-writes-json"],
)
def test_a_signing_key_is_not_kept_either(target: LocalTarget, shown: str, kept: str) -> None:
    """A target that has it may be careless with it."""
    target.script = reply(500, f"expected HMAC with {shown}".encode())
    signed = WebhookAction(url=target.url(), signing_secret=KEYS)
    known = sender("127.0.0.1", keys=SIGNING_KEY)
    with known as webhook, pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(), signed)

    assert caught.value.failure.message == f"The target answered 500: expected HMAC with {kept}"


ODD = "s3cr3t<+&>'/`\"=="


@pytest.mark.parametrize(
    "shown",
    [
        ODD,
        r"s3cr3t<+&>'\/`\"==",
        r"s3cr3t\u003c+\u0026\u003e'/`\"==",
        r"s3cr3t\u003c+\u0026\u003e\u0027/`\"\u003d\u003d",
        r"s3cr3t\u003C\u002B\u0026\u003E\u0027/\u0060\u0022==",
        "s3cr3t&lt;+&amp;&gt;&#x27;/`&quot;==",
        "s3cr3t&lt;+&amp;&gt;&#39;/`&quot;==",
        "s3cr3t&lt;&#43;&amp;&gt;&#39;/`&#34;==",
        "s3cr3t%3c%2b%26%3e%27%2f%60%22%3d%3d",
        r"s3cr3t\u003c+\u0026\u003e\u0027/`\"==",
        r"s3cr3t\u003C+\u0026\u003E\u0027/`\"==",
        "s3cr3t&lt;+&amp;&gt;&#039;/`&quot;==",
        "s3cr3t&lt;+&amp;&gt;&#39;/`&#34;==",
        "s3cr3t&lt;+&amp;&gt;'/`\"==",
        "s3cr3t%3C%2B%26%3E%27/%60%22%3D%3D",
    ],
    ids=[
        *("raw", "php", "go", "gson", "dotnet", "html", "jinja", "go-html", "small-hex"),
        *("jinja-json", "php-hex", "php-html", "markupsafe", "between-tags", "path"),
    ],
)
def test_each_common_spelling_of_a_secret_is_known(shown: str) -> None:
    """Servers escape what they echo, each in its own way."""
    assert Redaction.of([f"Bearer {ODD}"]).apply(f"sent {shown}.") == "sent [redacted]."


@pytest.mark.parametrize(
    "shown", ["not/ a/ word", "not/%20a/%20word", "not%2F%20a%2F%20word", "not%2F+a%2F+word"]
)
def test_a_secret_of_short_words_is_known_in_addresses(shown: str) -> None:
    """None of its words is one by itself; spaces are written as forms or paths write them."""
    assert Redaction.of(["not/ a/ word"]).apply(f"sent {shown}.") == "sent [redacted]."


def test_a_secret_that_only_looks_like_basic_authentication_is_known() -> None:
    """It is no Base64: it is a secret as any other."""
    assert Redaction.of(["Basic é!"]).apply("sent Basic é!.") == "sent [redacted]."


@pytest.mark.parametrize("shown", ["ada:p:assw0rd", "p:assw0rd", "YWRhOnA6YXNzdzByZA=="])
def test_a_password_of_basic_authentication_is_known(shown: str) -> None:
    """Its header has it in Base64, and the server that reads it shows it as it is."""
    redaction = Redaction.of(["Basic YWRhOnA6YXNzdzByZA=="])

    assert redaction.apply(f"No login with {shown}.") == "No login with [redacted]."


@pytest.mark.parametrize(("shown", "kept"), [("12345678", "[redacted]"), ("1234567", "1234567")])
def test_parts_of_a_secret_are_known_from_eight_characters_on(shown: str, kept: str) -> None:
    """Fewer are a scheme, a version, or a word of any answer."""
    pair = b64encode(f"ada:{shown}".encode()).decode()

    assert Redaction.of([f"Basic {pair}"]).apply(f"no {shown}") == f"no {kept}"
    assert Redaction.of([f"Bearer {shown}"]).apply(f"no {shown}") == f"no {kept}"


def test_words_that_are_no_secret_stay() -> None:
    """``Bearer`` alone says nothing, and an answer without it less."""
    redaction = Redaction.of([BEARER])

    assert redaction.apply("Bearer tokens expire") == "Bearer tokens expire"
    assert Redaction().apply("anything") == "anything"


def test_what_stands_for_a_secret_holds_none() -> None:
    """Secrets of one letter made of each letter of an answer hundreds of them."""
    assert Redaction.of("[redact]").apply("one x, two") == "on[redacted] x, [redacted]wo"


def test_secrets_that_overlap_are_hidden_whole() -> None:
    """The longer one is not cut by the shorter one before it."""
    assert Redaction.of(["abcdef", "defghijk"]).apply("-abcdefghijk-") == "-[redacted]-"
