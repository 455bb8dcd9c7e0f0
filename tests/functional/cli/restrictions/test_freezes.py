"""``timegate freezes``: what to stop and until when, and what has been stopped."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import JOB_ID
from timegate.contracts.restrictions import NewFreeze

Timegate = Callable[..., Outcome]

FREEZE_ID = "20261121T070000000Z-e4d687ff7bf9"
FREEZE = {
    "freeze_id": FREEZE_ID,
    "state": "active",
    "scope": {"kind": "tag", "key": "team", "value": "ops"},
    "starts_at": "2026-11-21T07:00:00.000Z",
    "ends_at": "2026-11-21T09:00:00.000Z",
    "thaw": "latest",
    "reason": "Migration",
    "created_at": "2026-11-21T07:00:00.000Z",
    "lifted_at": None,
    "by_stage": False,
}
CREATE = ("freezes", "create")


@pytest.fixture(autouse=True)
def answered(api: FakeApi) -> None:
    api.will(ok(FREEZE, 201))


def body_of(api: FakeApi) -> dict[str, Any]:
    """The body sent, once the API's own contract has accepted it."""
    NewFreeze.model_validate_json(api.calls[-1].content)
    body: dict[str, Any] = api.body
    return body


@pytest.mark.parametrize(
    ("options", "scope"),
    [
        (("--everything",), {"kind": "tenant"}),
        (("--tag", "team=ops"), {"kind": "tag", "key": "team", "value": "ops"}),
        (("--tag", "team=a=b"), {"kind": "tag", "key": "team", "value": "a=b"}),
        (("--tag", "team="), {"kind": "tag", "key": "team", "value": ""}),
        (("--tag", "team"), {"kind": "tag", "key": "team", "value": None}),
        (("--job", JOB_ID), {"kind": "job", "job_id": JOB_ID}),
    ],
    ids=str,
)
def test_an_option_says_what_is_frozen(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], scope: dict[str, object]
) -> None:
    """A tag alone means whatever its value."""
    outcome = timegate(*CREATE, *options, "--until", "2026-11-21T10:00:00+01:00")

    assert (outcome.code, api.asked) == (0, ["POST /v1/freezes"])
    assert body_of(api) == {"scope": scope, "ends_at": "2026-11-21T09:00:00.000Z"}


@pytest.mark.parametrize(
    ("options", "starts_at", "ends_at"),
    [
        (("--for", "2h"), None, "2026-11-21T09:00:00.000Z"),
        (
            ("--for", "90m", "--from", "2026-11-22T00:00:00Z"),
            "2026-11-22T00:00:00.000Z",
            "2026-11-22T01:30:00.000Z",
        ),
        (
            ("--until", "2026-11-23T00:00:00Z", "--from", "2026-11-22T00:00:00Z"),
            "2026-11-22T00:00:00.000Z",
            "2026-11-23T00:00:00.000Z",
        ),
    ],
    ids=str,
)
def test_a_freeze_ends_at_an_instant_or_after_a_while(
    api: FakeApi,
    timegate: Timegate,
    options: tuple[str, ...],
    starts_at: str | None,
    ends_at: str,
) -> None:
    """Counted from its start; without one it starts when the API hears of it."""
    timegate(*CREATE, "--everything", *options, "--thaw", "latest", "--reason", "Migration")
    body = body_of(api)

    assert (body.get("starts_at"), body["ends_at"]) == (starts_at, ends_at)
    assert (body["thaw"], body["reason"]) == ("latest", "Migration")


@pytest.mark.parametrize(
    "options",
    [
        ("--for", "2h"),
        ("--everything",),
        ("--everything", "--tag", "a", "--for", "2h"),
        ("--tag", "a", "--job", JOB_ID, "--for", "2h"),
        ("--everything", "--for", "2h", "--until", "2026-11-23T00:00:00Z"),
        ("--everything", "--for", "soon"),
        ("--everything", "--until", "2026-11-23T00:00:00"),
    ],
    ids=str,
)
def test_one_scope_and_one_end_are_needed(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...]
) -> None:
    """Nothing is frozen by a command that leaves either open."""
    outcome = timegate(*CREATE, *options)

    assert (outcome.code, api.calls) == (2, [])


def test_a_freeze_is_shown(api: FakeApi, timegate: Timegate) -> None:
    """It shows scope, beginning, end and reason."""
    api.will(ok(FREEZE))
    shown = timegate("freezes", "get", FREEZE_ID).out

    assert [line.rstrip() for line in shown.splitlines()] == [
        f"freeze_id  {FREEZE_ID}",
        "state      active",
        "scope      tag team=ops",
        "starts     2026-11-21 07:00:00 UTC",
        "ends       2026-11-21 09:00:00 UTC",
        "thaw       latest",
        "reason     Migration",
    ]


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ({"kind": "tenant"}, "everything"),
        ({"kind": "tag", "key": "team", "value": None}, "tag team"),
        ({"kind": "job", "job_id": JOB_ID}, f"job {JOB_ID}"),
    ],
)
def test_scopes_are_listed_in_words(
    api: FakeApi, timegate: Timegate, scope: dict[str, object], words: str
) -> None:
    """With the end that a freeze had, if it was lifted."""
    lifted = {"state": "lifted", "lifted_at": "2026-11-21T08:00:00.000Z"}
    api.will(page([{**FREEZE, "scope": scope, **lifted}], cursor="next"))
    shown = timegate("freezes", "list").out

    assert words in shown
    assert "2026-11-21 08:00:00" in shown
    assert "09:00" not in shown
    assert "--cursor next" in shown


def test_freezes_are_listed_by_page_or_only_those_that_have_not_ended(
    api: FakeApi, timegate: Timegate
) -> None:
    """The options are those of other listings."""
    api.will(page([]))
    outcome = timegate("freezes", "list", "--limit", "2", "--cursor", "c")
    timegate("freezes", "list", "--unended")

    assert outcome.out == "No freezes.\n"
    assert api.asked == ["GET /v1/freezes?limit=2&cursor=c", "GET /v1/freezes?unended=true"]


def test_a_freeze_is_lifted(api: FakeApi, timegate: Timegate) -> None:
    """And shown as it then is."""
    lifted = {"state": "lifted", "lifted_at": "2026-11-21T08:00:00.000Z"}
    api.will(ok({**FREEZE, **lifted}))
    outcome = timegate("freezes", "lift", FREEZE_ID)

    assert api.asked == [f"DELETE /v1/freezes/{FREEZE_ID}"]
    assert "lifted     2026-11-21 08:00:00 UTC" in outcome.out
