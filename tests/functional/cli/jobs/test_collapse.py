"""``--collapse`` of jobs and triggers, to the body that the API takes, and what is shown of it."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, job, run
from timegate.cli.showing.policy_words import collapsed, collapsing
from timegate.contracts.jobs.triggers import TriggerRequest

Timegate = Callable[..., Outcome]
RULE = {"mode": "last", "span_seconds": 10, "max_wait_seconds": None, "key_from": None}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--collapse", "10s"), {"collapse": {"span_seconds": 10}}),
        (
            ("--collapse", "10s", "--collapse-max-wait", "1m", "--collapse-key-from", "/a/0"),
            {"collapse": {"span_seconds": 10, "max_wait_seconds": 60, "key_from": "/a/0"}},
        ),
        (("--collapse-mode", "single"), {"collapse": {"mode": "single"}}),
        (("--collapse-key", "a b"), {"collapse_key": "a b"}),
        (("--no-collapse",), {"collapse": None}),
        (("--concurrency-key", "a b"), {"concurrency_key": "a b"}),
    ],
)
def test_a_trigger_collapses_as_it_was_said(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], expected: dict[str, Any]
) -> None:
    """The API's own contract reads it."""
    api.will(ok(run(), 202))
    outcome = timegate("jobs", "trigger", JOB_ID, *options)

    assert outcome.code == 0, outcome.err
    assert api.body == expected
    TriggerRequest.model_validate_json(api.calls[0].content)


def test_a_job_collapses_its_triggers(api: FakeApi, timegate: Timegate) -> None:
    """The rule is shown with the job."""
    api.will(ok(job() | {"collapse": RULE}, 201))
    named = ("jobs", "create", "--name", "index", "--manual", "--webhook", "https://example.com")
    outcome = timegate(*named, "--collapse", "10s")

    assert api.body["collapse"] == {"span_seconds": 10}
    assert "last within 10 s, 100 s at most" in outcome.out


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (None, ""),
        ({"into": None, "triggers": 1}, "1 trigger"),
        ({"into": None, "triggers": 3}, "3 triggers"),
        ({"into": RUN_ID, "triggers": 3}, f"into {RUN_ID}"),
    ],
)
def test_a_run_says_where_it_stands(mark: dict[str, Any] | None, words: str) -> None:
    """Or nothing, where it collapses with no other."""
    assert collapsed(mark) == words


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (None, ""),
        (RULE, "last within 10 s, 100 s at most"),
        ({**RULE, "max_wait_seconds": 60}, "last within 10 s, 60 s at most"),
        ({**RULE, "mode": "first", "key_from": "/a"}, "first within 10 s, by /a"),
    ],
)
def test_a_rule_in_words(rule: dict[str, Any] | None, words: str) -> None:
    """The maximum wait is that of ``last`` alone."""
    assert collapsing(rule) == words
