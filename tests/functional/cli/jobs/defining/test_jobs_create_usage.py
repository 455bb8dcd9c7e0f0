"""``jobs create``: command lines that are refused before anything is sent."""

from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi

Timegate = Callable[..., Outcome]

WEBHOOK = ("--webhook", "https://example.com/hook")
NAMED = ("jobs", "create", "--name", "report")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        pytest.param(WEBHOOK, "Exactly one of --at", id="no-schedule"),
        pytest.param((*WEBHOOK, "--now", "--delay", "0"), "Exactly one of --at", id="schedules"),
        pytest.param((*WEBHOOK, "--now", "--manual"), "Exactly one of --at", id="now-and-never"),
        pytest.param(("--now",), "Exactly one of --webhook", id="no-target"),
        pytest.param(
            ("--now", *WEBHOOK, "--sqs", "q"), "Exactly one of --webhook", id="two-targets"
        ),
        pytest.param(("--at", "2026-11-21T07:00:00", *WEBHOOK), "needs an offset", id="no-offset"),
        pytest.param(("--at", "tomorrow", *WEBHOOK), "RFC 3339", id="no-instant"),
        pytest.param(
            ("--at", "9999-12-31T23:59:59-05:00", *WEBHOOK), "years 1970", id="after-the-end"
        ),
        pytest.param(("--delay", "-5", *WEBHOOK), "is no duration", id="negative"),
        pytest.param(("--every", "1.5s", *WEBHOOK), "no whole number", id="half-a-second"),
        pytest.param(("--now", *WEBHOOK, "--payload", "{"), "is not JSON", id="payload"),
        pytest.param(("--now", *WEBHOOK, "--payload", "NaN"), "is not JSON", id="not-a-number"),
        pytest.param(
            ("--now", *WEBHOOK, "--payload", r'"\ud800"'), "is not JSON", id="half-a-character"
        ),
        pytest.param(
            ("--now", *WEBHOOK, "--payload", "[" * 100_000), "is not JSON", id="endless-nesting"
        ),
        pytest.param(("--now", *WEBHOOK, "--payload", "@/no/file"), "cannot be read", id="file"),
        pytest.param(("--now", *WEBHOOK, "--tag", "team"), "'--tag': 'team' has no '='", id="tag"),
        pytest.param(
            ("--now", *WEBHOOK, "--tag", "a=1", "--tag", "a=2"), "is there twice", id="tag-twice"
        ),
        pytest.param(("--now", *WEBHOOK, "--header", "X-A"), "has no ':'", id="header"),
        pytest.param(
            ("--now", *WEBHOOK, "--idempotency-key", "a b"), "printable ASCII", id="spaced-key"
        ),
        pytest.param(("--now", *WEBHOOK, "--priority", "urgent"), "urgent", id="priority"),
        pytest.param(
            ("--now", *WEBHOOK, "--no-breaker", "--breaker-failures", "2"),
            "no other option about the",
            id="breaker-off-and-set",
        ),
        pytest.param(("--file", "-", "--priority", "low"), "the whole job", id="file-and-options"),
    ],
)
def test_a_wrong_command_line_is_refused_before_anything_is_sent(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], complaint: str
) -> None:
    """It exits with 2 and says what is wrong."""
    arguments = ("jobs", "create", *options) if "--file" in options else (*NAMED, *options)
    outcome = timegate(*arguments, stdin="{}")

    assert outcome.code == 2
    assert complaint in " ".join(outcome.err.replace("│", " ").split())
    assert api.calls == []
