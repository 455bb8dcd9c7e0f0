"""``timegate audit``."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, page

Timegate = Callable[..., Outcome]

ENTRY: dict[str, Any] = {
    "at": "2026-11-21T07:00:01.000Z",
    "actor": {"subject": "ci", "client_id": "acme", "source_ip": "192.0.2.1", "of_stage": False},
    "operation": "updateJob",
    "request_id": "JKJaXmPLvHcESHA=",
    "resource": {"kind": "job", "id": "wr3yhndwd4n2aifoevtherqsl2"},
    "version": 2,
    "changes": [
        {"field": "status", "before": "active", "after": "paused"},
        {"field": "tags", "before": None, "after": {"team": "ops"}},
    ],
}
QUERY = "since=2026-11-21T00%3A00%3A00.000Z"


def test_changes_are_shown_one_below_the_other(timegate: Timegate, api: FakeApi) -> None:
    """Each entry shows caller, operation and resource, with the values before."""
    api.will(page([ENTRY]))
    shown = timegate("audit").out

    assert api.asked == ["GET /v1/audit"]
    for text in (
        "2026-11-21 07:00:01",
        "updateJob",
        "job/wr3yhndwd4n2aifoevtherqsl2",
        'status: "active" → "paused"',
        'tags: {"team": "ops"}',
    ):
        assert text in shown
    assert len(shown.splitlines()) == 3


def test_nothing_changed_is_said(timegate: Timegate, api: FakeApi) -> None:
    """An empty table would look like a mistake."""
    api.will(page([]))

    assert timegate("audit").out.strip() == "No changes."


@pytest.mark.parametrize(
    ("words", "path"),
    [
        pytest.param((), "/v1/audit", id="one's own"),
        pytest.param(("--tenant", "acme"), "/v1/tenants/acme/audit", id="a tenant's"),
        pytest.param(("--tenant", "a|b"), "/v1/tenants/a%7Cb/audit", id="of an odd name"),
    ],
)
def test_a_span_and_a_person_are_asked_for(
    timegate: Timegate, api: FakeApi, words: tuple[str, ...], path: str
) -> None:
    """The same of one's own trail and, with the administration's profile, of a tenant's."""
    api.will(page([]))
    options = ("--resource", "job/j", "--since", "2026-11-21T00:00:00Z", "--actor", "ci")
    timegate("audit", *words, *options, "--limit", "5")
    asked = str(api.calls[0].url)

    assert asked.partition("?")[0].endswith(path)
    for part in ("resource=job%2Fj", QUERY, "actor=ci", "limit=5"):
        assert part in asked


def test_every_page_is_read(timegate: Timegate, api: FakeApi) -> None:
    """With ``--all``, from cursor to cursor."""
    api.will(page([ENTRY], "more"), page([ENTRY]))
    shown = timegate("audit", "--tenant", "acme", "--all").out

    assert [str(call.url).partition("?")[2] for call in api.calls] == ["", "cursor=more"]
    assert shown.count("updateJob") == 2


def test_programs_get_what_the_api_says(timegate: Timegate, api: FakeApi) -> None:
    """Entry by entry, unchanged."""
    api.will(page([ENTRY]))

    assert '"of_stage": false' in timegate("audit", "--json").out


def test_an_instant_that_is_none_is_refused_before_a_stage_is_asked(
    timegate: Timegate, api: FakeApi
) -> None:
    """Here, and not by the API."""
    outcome = timegate("audit", "--since", "yesterday-ish")

    assert outcome.code == 2
    assert api.calls == []


def test_the_trail_of_the_stage_is_one_of_its_own(timegate: Timegate, api: FakeApi) -> None:
    """It is not that of a tenant: both together are refused before any request."""
    api.will(page([ENTRY]))
    timegate("audit", "--stage")
    both = timegate("audit", "--stage", "--tenant", "acme")

    assert api.asked == ["GET /v1/stage/audit"]
    assert (both.code, "give one of them" in both.err) == (2, True)
