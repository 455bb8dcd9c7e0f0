"""``timegate event-triggers``: what a terminal shows of a trigger."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import API_URL, FakeApi, ok
from tests.functional.cli.samples import answered

Timegate = Callable[..., Outcome]
DAG = "2gedh6hdhrgrbagp4rcwogtdf2"
SECRET = "/timegate-target/acme/github#key"
HOOK = answered("getEventTrigger", "hook", path="/v1/hooks/f3q5")


@pytest.mark.parametrize("command", ["get", "pause", "resume"])
def test_a_web_hook_has_its_whole_address(api: FakeApi, timegate: Timegate, command: str) -> None:
    """A sender is given it as it is shown."""
    api.will(ok(answered("getEventTrigger", hook=HOOK)))
    shown = timegate("event-triggers", command, "deployments", "--wide").out

    assert f"{API_URL}/v1/hooks/f3q5 ({HOOK['scheme']})" in " ".join(shown.split())


def test_data_are_those_of_the_api(api: FakeApi, timegate: Timegate) -> None:
    """A program gets the path, as the API answers it."""
    trigger = answered("getEventTrigger", hook=HOOK)
    api.will(ok(trigger))

    assert timegate("event-triggers", "get", "deployments", "--json").json == trigger


@pytest.mark.parametrize(
    ("options", "starts"),
    [
        (("--job", "invoice"), {"type": "job", "job_id": "key:invoice"}),
        (
            ("--job", "invoice", "--send", '{"$ref": "event.id"}'),
            {"type": "job", "job_id": "key:invoice", "payload": {"$ref": "event.id"}},
        ),
        (
            ("--job", "invoice", "--merge", '{"a": 1}'),
            {"type": "job", "job_id": "key:invoice", "payload_patch": {"a": 1}},
        ),
        (
            ("--job", "invoice", "--no-payload"),
            {"type": "job", "job_id": "key:invoice", "payload": None},
        ),
        (("--dag", DAG), {"type": "dag_run", "dag_id": DAG}),
        (
            ("--dag", DAG, "--send", '{"a": 1}'),
            {"type": "dag_run", "dag_id": DAG, "parameters": {"a": 1}},
        ),
    ],
)
def test_options_say_what_a_trigger_starts(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], starts: dict[str, object]
) -> None:
    """A job by id or key, or a DAG; with the event unless something else is said."""
    api.will(ok(answered("putEventTrigger")))
    timegate("event-triggers", "put", "paid", *options)

    assert json.loads(api.calls[-1].content) == {"starts": starts}


def test_options_say_the_rest_of_a_trigger(api: FakeApi, timegate: Timegate) -> None:
    """Pattern, web hook, words; a file says all of it."""
    api.will(ok(answered("putEventTrigger")), ok(answered("putEventTrigger")))
    words = ("--description", "Paid.", "--tag", "team=data")
    hook = ("--hook", "github", "--secret", SECRET)
    pattern = ("--pattern", '{"type": ["github.push"]}')
    timegate("event-triggers", "put", "paid", "--job", "invoice", *pattern, *hook, *words)
    said = json.loads(api.calls[-1].content)
    timegate("event-triggers", "put", "paid", "-f", "-", stdin=json.dumps(said))

    assert said == {
        "pattern": {"type": ["github.push"]},
        "starts": {"type": "job", "job_id": "key:invoice"},
        "hook": {
            "scheme": "github",
            "secret": {"ssm_parameter": "/timegate-target/acme/github", "json_key": "key"},
        },
        "description": "Paid.",
        "tags": {"team": "data"},
    }
    assert json.loads(api.calls[-1].content) == said


@pytest.mark.parametrize(
    "options",
    [
        ("--send", "{}"),
        ("--merge", "{}"),
        ("--no-payload",),
        ("--job", "invoice", "--dag", DAG),
        ("--dag", DAG, "--merge", "{}"),
        ("--dag", DAG, "--no-payload"),
        ("--job", "invoice", "--no-payload", "--send", "{}"),
        ("--job", "invoice", "--send", "null"),
        ("--job", "invoice", "--hook", "github"),
        ("--job", "invoice", "--secret", SECRET),
        ("--job", "invoice", "-f", "-"),
    ],
)
def test_options_that_contradict_are_refused(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """Nothing is sent."""
    refused = timegate("event-triggers", "put", "paid", *options, stdin="{}")

    assert refused.code == 2
    assert api.calls == []
