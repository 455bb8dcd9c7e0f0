"""What an action must be before a job may carry it."""

import pytest

from timegate.domain.action import Action, LambdaAction, SqsAction, WebhookAction
from timegate.domain.action_rules import (
    MAX_URL_LENGTH,
    RESERVED_HEADERS,
    SECRET_HEADERS,
    check_action,
)
from timegate.domain.errors import InvalidInput
from timegate.domain.target_rules import TargetRules

ACCOUNT = "arn:aws:lambda:eu-central-1:123456789012:function"
OTHER_ACCOUNT = f"{ACCOUNT.replace('123', '999')}:timegate-target-mail"
RULES = TargetRules(
    allowed_lambda_targets=(f"{ACCOUNT}:timegate-target-*",),
    allowed_queue_targets=("arn:aws:sqs:eu-central-1:123456789012:timegate-target-*",),
)
PREFIX = "https://hooks.example.com/"
QUEUE = "https://sqs.eu-central-1.amazonaws.com/123456789012/timegate-target-orders"


def refusal(action: Action, rules: TargetRules = RULES) -> tuple[str, str] | None:
    """The refused field and the code; nothing when the action is accepted."""
    try:
        check_action(action, rules)
    except InvalidInput as refused:
        return refused.field.removeprefix("action."), refused.code
    return None


@pytest.mark.parametrize(
    "url",
    [
        "https://hooks.example.com/report",
        "http://localhost:8080/",
        "https://hooks.example.com.",
        "https://[2001:db8::1]:8443/x",
        "https://192.0.2.1/",
        "HTTPS://HOOKS.EXAMPLE.COM/",
        "https://a_b.example.com/?q=1#f",
        "https://example.com:65535/",
        PREFIX + "x" * (MAX_URL_LENGTH - len(PREFIX)),
    ],
    ids=lambda url: url[:40],
)
def test_a_url_is_accepted(url: str) -> None:
    """Whether it may be reached is decided when it is called."""
    assert refusal(WebhookAction(url=url)) is None


@pytest.mark.parametrize(
    "url",
    [
        *("", "hooks.example.com", "ftp://example.com/", "file:///etc/passwd", "javascript:x"),
        *("https://", "https:///x", "https://.example.com/", "https://a..b/", "https://-a.com/"),
        *("https://a-.com/", f"https://{'x' * 64}.com/", "https://exa mple.com/", "https://a\n/"),
        *("https://münchen.de/", "https://a/\t", "https://a/\x00", "https://[::1/", "https://[x]/"),
        *("https://a:0/", "https://a:65536/", "https://a:x/", "https://a%2eb/"),
        PREFIX + "x" * (MAX_URL_LENGTH + 1 - len(PREFIX)),
    ],
    ids=lambda url: repr(url)[:40],
)
def test_a_url_that_could_never_be_called_is_refused(url: str) -> None:
    """At creation, not at the first fire."""
    assert refusal(WebhookAction(url=url)) == ("url", "invalid_url")


@pytest.mark.parametrize("user", ["me@", "me:secret@", ":@", "@"], ids=str)
def test_a_url_carries_no_credentials(user: str) -> None:
    """Everybody who reads the job would read them."""
    assert refusal(WebhookAction(url=f"https://{user}example.com/")) == ("url", "plaintext_secret")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("X-Team", "billing", None),
        ("X-Empty", "", None),
        ("X-Tab", "a\tb", None),
        ("!#$%&'*+-.^_`|~09aZ", "every character a name may have", None),
        ("", "x", ("headers", "invalid_header")),
        ("X Team", "x", ("headers", "invalid_header")),
        ("X-Team:", "x", ("headers", "invalid_header")),
        ("X-Team\r\nHost", "x", ("headers", "invalid_header")),
        ("X-Ü", "x", ("headers", "invalid_header")),
        ("X-Team", "a\r\nHost: evil", ("headers.X-Team", "invalid_header")),
        ("X-Team", "a\nb", ("headers.X-Team", "invalid_header")),
        ("X-Team", "ü", ("headers.X-Team", "invalid_header")),
        ("X-Team", "\x7f", ("headers.X-Team", "invalid_header")),
        ("Timegate-Run", "x", ("headers.Timegate-Run", "reserved_header")),
        ("timegate-anything", "x", ("headers.timegate-anything", "reserved_header")),
        ("Timegate", "x", None),
    ],
    ids=repr,
)
def test_a_header_is_a_name_and_printable_text(
    name: str, value: str, expected: tuple[str, str] | None
) -> None:
    """No line break begins a header of its own."""
    assert expected == refusal(WebhookAction(url=PREFIX, headers={name: value}))


@pytest.mark.parametrize("name", sorted(RESERVED_HEADERS), ids=str)
def test_headers_of_the_connection_are_not_the_jobs(name: str) -> None:
    """In whatever case they are written."""
    action = WebhookAction(url=PREFIX, headers={name.title(): "x"})

    assert refusal(action) == (f"headers.{name.title()}", "reserved_header")


@pytest.mark.parametrize("name", sorted(SECRET_HEADERS), ids=str)
def test_headers_that_carry_credentials_are_refused(name: str) -> None:
    """They do not belong into a definition."""
    action = WebhookAction(url=PREFIX, headers={name.upper(): "x"})

    assert refusal(action) == (f"headers.{name.upper()}", "plaintext_secret")


def test_a_header_is_given_once() -> None:
    """Names that differ by case alone are one name."""
    twice = WebhookAction(url=PREFIX, headers={"X-Team": "a", "x-team": "b"})

    assert refusal(twice) == ("headers.x-team", "duplicate_header")


@pytest.mark.parametrize(
    ("arn", "expected"),
    [
        (f"{ACCOUNT}:timegate-target-mail", None),
        (f"{ACCOUNT}:timegate-target-mail:live", None),
        (f"{ACCOUNT}:timegate-target-mail:$LATEST", None),
        (f"{ACCOUNT}:other", ("function_arn", "target_not_allowed")),
        (OTHER_ACCOUNT, ("function_arn", "target_not_allowed")),
        ("timegate-target-mail", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:timegate-target-*", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:timegate-target-mail\n", ("function_arn", "invalid_arn")),
        (f"{ACCOUNT}:{'x' * 65}", ("function_arn", "invalid_arn")),
        (QUEUE, ("function_arn", "invalid_arn")),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_function_is_named_and_allowed(arn: str, expected: tuple[str, str] | None) -> None:
    """By the list that also bounds what the executors may invoke."""
    assert expected == refusal(LambdaAction(function_arn=arn))


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        (QUEUE, True),
        ("http://localhost:4566/123456789012/timegate-target-orders", True),
        (QUEUE.replace("orders", ""), True),
        (QUEUE.replace("eu-central-1", "us-east-1"), False),
        (QUEUE.replace("123456789012", "999999999999"), False),
        (QUEUE.replace("timegate-target", "payroll"), False),
        (QUEUE + "/x", False),
        (QUEUE + "?x=1", False),
        (QUEUE + "#x", False),
        (QUEUE + "\n", False),
        (QUEUE.replace("https://", "https://me@"), False),
        (QUEUE.replace("https", "ftp"), False),
        ("https://[", False),
        ("", False),
    ],
    ids=lambda value: repr(value)[-50:],
)
def test_a_queue_is_named_and_allowed(url: str, *, allowed: bool) -> None:
    """One answer for every other queue, whether it exists or not."""
    expected = None if allowed else ("queue_url", "target_not_allowed")

    assert expected == refusal(SqsAction(queue_url=url))


@pytest.mark.parametrize(
    "action",
    [LambdaAction(function_arn=f"{ACCOUNT}:timegate-target-x"), SqsAction(queue_url=QUEUE)],
    ids=lambda action: action.type,
)
def test_a_stage_without_a_list_allows_nothing(action: Action) -> None:
    """Everything not named is refused."""
    refused = refusal(action, TargetRules())

    assert refused is not None
    assert refused[1] == "target_not_allowed"
