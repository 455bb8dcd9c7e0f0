"""``--tag`` is read alike by every command: ``KEY=VALUE``, and as listings write it."""

import json
from collections.abc import Callable

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, placeholder
from tests.functional.cli.samples import JOB_ID

Timegate = Callable[..., Outcome]
HOOK = ("--manual", "--webhook", "https://hooks.example.com/x")
DEFINING = [
    (("jobs", "create", "--name", "a", *HOOK), "tags"),
    (("jobs", "trigger", JOB_ID), "tags"),
    (("bulk", "pause", "--yes"), "filter.tags"),
    (("rules", "put", "r", "--failures", "3", "--tell", "https://x.example"), "jobs.tags"),
    (("calendars", "put", "c", "--day", "2026-12-24"), "tags"),
]
LISTING = [("jobs", "list"), ("runs", "failed"), ("runs", "list")]


@pytest.mark.parametrize(("words", "path"), DEFINING, ids=str)
@pytest.mark.parametrize("written", ["team=a:b", "team:a:b"])
def test_a_tag_is_written_alike_in_what_is_defined(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], path: str, written: str
) -> None:
    """The first separator ends the key, which has none."""
    api.will(placeholder({}))
    timegate(*words, "--tag", written)
    value = json.loads(api.calls[0].content)
    for name in path.split("."):
        value = value[name]

    assert value == {"team": "a:b"}


@pytest.mark.parametrize("words", LISTING, ids=" ".join)
@pytest.mark.parametrize("written", ["team=a:b", "team:a:b", "team:a=b"])
def test_a_tag_is_written_alike_in_filters(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], written: str
) -> None:
    """The API is sent its own form."""
    api.will(placeholder({"items": [], "next_cursor": None}))
    timegate(*words, "--tag", written)

    assert api.calls[0].url.params["tag"] == f"team:{written[5:]}"


@pytest.mark.parametrize("words", [*LISTING, *(words for words, _ in DEFINING)], ids=" ".join)
def test_a_tag_without_a_value_names_the_option(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...]
) -> None:
    """Before the API is asked."""
    outcome = timegate(*words, "--tag", "team")

    assert (outcome.code, api.calls) == (2, [])
    assert "'--tag': 'team' has no '='" in " ".join(outcome.err.split())
