"""``timegate dead-letters``: what is asked for, what is shown, and that a dry run does nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page, refusal
from tests.functional.cli.samples import (
    JOB_ID,
    OPERATION_ID,
    RUN_ID,
    SHORT_RUN_ID,
    job,
    operation,
    run,
    whole_letter,
)
from tests.functional.cli.samples import letter as letter_row

Timegate = Callable[..., Outcome]

ERROR = {"code": "http_503", "type": "HttpStatus", "message": "busy"}
GIVEN_UP: dict[str, Any] = {"error": ERROR, "reason": "retries_exhausted"}
OTHER_RUN = f"{JOB_ID}.s20261121T080000000Z"
RESOLUTION = {
    "settled": "redriven",
    "by": "ann",
    "at": "2026-11-21T08:00:00.000Z",
    "note": "typo\x1b[2J",
    "operation_id": None,
    "job_version": 2,
    "payload_corrected": True,
    "fresh": False,
}
REDRIVE = operation(
    "running",
    kind="redrive",
    parameters={
        "filter": {
            "job_id": JOB_ID,
            "reason": "kills_workers",
            "error_code": None,
            "from": "2026-11-21T07:00:00.000Z",
            "to": None,
            "run_ids": [],
        },
        "payload_corrected": True,
        "fresh": True,
        "note": "typo",
    },
    waits_for=None,
)


def letter(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """A dead letter in a listing."""
    return letter_row(**{**GIVEN_UP, **changes})


def whole() -> dict[str, Any]:
    """A dead letter with everything that is known of it."""
    return whole_letter(
        **GIVEN_UP,
        job_version=1,
        payload={"to": "bob"},
        payload_corrected=False,
        job=job(name="welcome\x1b[2J"),
        job_now={"version": 3, "status": "paused", "same_definition": False},
    )


@pytest.mark.parametrize(
    ("words", "query"),
    [
        ((), ""),
        (("--job", JOB_ID), f"?job_id={JOB_ID}"),
        (("--reason", "kills_workers", "--limit", "5"), "?limit=5&reason=kills_workers"),
        (("--error-code", "http_503"), "?error_code=http_503"),
        (
            ("--from", "2026-11-21T08:00:00+01:00", "--to", "2026-11-21T08:00:00Z"),
            "?from=2026-11-21T07%3A00%3A00.000Z&to=2026-11-21T08%3A00%3A00.000Z",
        ),
    ],
    ids=str,
)
def test_they_are_listed(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], query: str
) -> None:
    """Each option narrows the listing, and nothing else does."""
    api.will(page([letter()], "c2"))
    outcome = timegate("dead-letters", "list", *words)
    expected = f"{SHORT_RUN_ID} 2026-11-21 07:00:00 1 retries_exhausted http_503"

    assert api.asked == [f"GET /v1/dead-letters{query}"]
    assert outcome.out.splitlines()[1].split() == expected.split()
    assert "--cursor c2" in outcome.out


def test_none_is_said(api: FakeApi, timegate: Timegate) -> None:
    """A table without rows could be a fault."""
    api.will(page([]))

    assert timegate("dead-letters", "list").out.strip() == "No dead letters."


def test_one_is_shown_with_what_ran(api: FakeApi, timegate: Timegate) -> None:
    """Its attempts, its payload, its job as it was; nothing in it steers the terminal."""
    api.will(ok(whole()))
    shown = timegate("dead-letters", "get", RUN_ID)
    printed = timegate("dead-letters", "get", RUN_ID, "--json")

    assert api.asked == [f"GET /v1/dead-letters/{RUN_ID}"] * 2
    for text in ('{"to": "bob"}', "busy", "paused, version 3, changed since", "in version 1"):
        assert text in shown.out
    assert r"welcome\x1b[2J" in shown.out
    assert printed.json == whole()


@pytest.mark.parametrize(
    ("words", "body"),
    [
        ((), None),
        (
            ("--payload", '{"to": "ann"}', "--note", "typo"),
            {"payload": {"to": "ann"}, "note": "typo"},
        ),
        (("--payload", "0"), {"payload": 0}),
        (("--no-payload",), {"payload": None}),
        (("--fresh",), {"fresh": True}),
    ],
    ids=str,
)
def test_one_is_redriven_at_once(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], body: object
) -> None:
    """And shown with who did it."""
    api.will(ok(run("queued", resolution=RESOLUTION), 202))
    outcome = timegate("dead-letters", "redrive", RUN_ID, *words)

    assert api.asked == [f"POST /v1/dead-letters/{RUN_ID}/redrive"]
    assert (api.body if api.calls[0].content else None) == body
    assert r"redriven by ann, 2026-11-21 08:00:00 UTC: typo\x1b[2J" in outcome.out


def test_one_is_discarded_at_once(api: FakeApi, timegate: Timegate) -> None:
    """With a note."""
    api.will(ok(run("dead_lettered")))
    outcome = timegate("dead-letters", "discard", RUN_ID, "--note", "obsolete")

    assert outcome.code == 0
    assert api.asked == [f"POST /v1/dead-letters/{RUN_ID}/discard"]
    assert api.body == {"note": "obsolete"}


@pytest.mark.parametrize("verb", ["redrive", "discard"])
@pytest.mark.parametrize(
    ("words", "filter_"),
    [
        (("--all",), {"all": True}),
        (("--job", JOB_ID, "--error-code", "x"), {"job_id": JOB_ID, "error_code": "x"}),
        ((RUN_ID, OTHER_RUN), {"run_ids": [RUN_ID, OTHER_RUN]}),
        (
            ("--reason", "poison_message", "--from", "2026-11-21T07:00:00Z"),
            {"reason": "poison_message", "from": "2026-11-21T07:00:00.000Z"},
        ),
    ],
    ids=str,
)
def test_many_begin_an_operation(
    api: FakeApi, timegate: Timegate, verb: str, words: tuple[str, ...], filter_: dict[str, object]
) -> None:
    """By name, by what they have in common, or all of them."""
    api.will(ok(REDRIVE, 202))
    outcome = timegate("dead-letters", verb, *words, "--idempotency-key", "k")

    assert (outcome.code, api.asked) == (0, [f"POST /v1/dead-letters/{verb}"])
    assert api.body == {"filter": filter_}
    assert api.calls[0].headers["Idempotency-Key"] == "k"
    assert f"job_id {JOB_ID}, reason kills_workers, from 2026-11-21 07:00" in outcome.out
    assert "payload corrected, fresh" in outcome.out


def test_an_operation_is_followed(api: FakeApi, timegate: Timegate) -> None:
    """To its end; one run as well."""
    api.will(
        ok(REDRIVE, 202),
        ok({**REDRIVE, "status": "succeeded", "ended_at": "2026-11-21T07:00:09.000Z"}),
    )
    outcome = timegate("dead-letters", "redrive", RUN_ID, "--wait")

    assert outcome.code == 0
    assert api.asked == ["POST /v1/dead-letters/redrive", f"GET /v1/operations/{OPERATION_ID}"]


@pytest.mark.parametrize("verb", ["redrive", "discard"])
@pytest.mark.parametrize(
    "words", [(), (RUN_ID, "--all"), ("--all", "--job", JOB_ID), (RUN_ID, "--job", JOB_ID)], ids=str
)
def test_which_are_meant_is_said_in_one_way(
    api: FakeApi, timegate: Timegate, verb: str, words: tuple[str, ...]
) -> None:
    """Nothing is asked of the API otherwise."""
    outcome = timegate("dead-letters", verb, *words)

    assert (outcome.code, api.asked) == (2, [])
    assert "say which" in outcome.err


@pytest.mark.parametrize("count", [0, 1, 25], ids=str)
def test_a_dry_run_counts_all_and_settles_none(
    api: FakeApi, timegate: Timegate, count: int
) -> None:
    """Page by page; the newest are shown."""
    rows = [letter(run_id=f"{JOB_ID}.s20261121T0700{number:02}000Z") for number in range(count)]
    api.will(page(rows[:10], "c2"), page(rows[10:]))
    shown = timegate("dead-letters", "redrive", "--job", JOB_ID, "--dry-run")
    first, second = api.asked
    api.will(page(rows))
    printed = timegate("dead-letters", "discard", "--all", "--dry-run", "--json")

    assert (first, second) == (
        f"GET /v1/dead-letters?limit=100&job_id={JOB_ID}",
        f"GET /v1/dead-letters?limit=100&job_id={JOB_ID}&cursor=c2",
    )
    assert f"{count} dead letter{'' if count == 1 else 's'} would be settled." in shown.out
    assert printed.json == {"dry_run": True, "matched": count, "first": rows[:20]}
    assert ("... and 5 more" in shown.out) == (count > 20)


def test_a_dry_run_of_named_ones_looks_at_each(api: FakeApi, timegate: Timegate) -> None:
    """One that is none is refused, as it would be."""
    api.will(ok(whole()), refusal(404, "dead_letter_not_found"))
    outcome = timegate("dead-letters", "redrive", RUN_ID, OTHER_RUN, "--dry-run")

    assert (outcome.code, len(api.asked)) == (1, 2)
    assert "dead_letter_not_found" in outcome.err
