"""``jobs trigger-many``: a run for each line of a file."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, refusal
from tests.functional.cli.samples import JOB_ID, RUN_ID, SHORT_RUN_ID

Timegate = Callable[..., Outcome]


REFUSED = {"status": 400, "run_id": None, "collapsed_into": None}


def answer(count: int, *, refused: int = 0) -> dict[str, Any]:
    """An answer of the API: the last ones are refused."""
    error = {"code": "invalid_request", "detail": "No.", "errors": []}
    items = [
        {"index": n, "status": 202, "run_id": RUN_ID, "collapsed_into": None, "error": None}
        if n < count - refused
        else {**REFUSED, "index": n, "error": error}
        for n in range(count)
    ]
    return {"items": items, "triggered": count - refused, "replayed": 0, "failed": refused}


@pytest.mark.parametrize("text", ['{"payload": 1}\n\n{}\n', '[{"payload": 1}, {}]'])
def test_each_line_is_a_trigger(api: FakeApi, timegate: Timegate, text: str) -> None:
    """JSON lines, or a list; empty lines are none."""
    api.will(ok(answer(2), 207))
    outcome = timegate("jobs", "trigger-many", JOB_ID, "-f", "-", stdin=text)

    assert outcome.code == 0, outcome.err
    assert api.asked == [f"POST /v1/jobs/{JOB_ID}/trigger/batch"]
    assert api.body == {"triggers": [{"payload": 1}, {}]}
    assert outcome.out.count(SHORT_RUN_ID) == 2


def test_a_long_file_is_several_requests(api: FakeApi, timegate: Timegate, tmp_path: Path) -> None:
    """Each has a key of its own, and lines are counted through."""
    file = tmp_path / "many.jsonl"
    file.write_text("{}\n" * 1001)
    api.will(ok(answer(1000), 207), ok(answer(1, refused=1), 207))
    words = ("jobs", "trigger-many", "nightly", "-f", str(file))
    outcome = timegate(*words, "--idempotency-key", "k", "--json")

    assert outcome.code == 1
    assert [len(json.loads(each.content)["triggers"]) for each in api.calls] == [1000, 1]
    assert [each.headers["Idempotency-Key"] for each in api.calls] == ["k-0", "k-1"]
    assert outcome.json["items"][-1]["index"] == 1000
    assert (outcome.json["triggered"], outcome.json["failed"]) == (1000, 1)


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_file_that_breaks_off_says_which_runs_began(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...]
) -> None:
    """A caller repeats the triggers behind them, and makes no second runs."""
    api.will(ok(answer(1000), 207), refusal(429, "quota_exceeded"))
    outcome = timegate("jobs", "trigger-many", JOB_ID, "-f", "-", *words, stdin="{}\n" * 1001)

    assert outcome.code == 1
    assert "quota_exceeded" in outcome.err
    assert outcome.out.count(RUN_ID if words else SHORT_RUN_ID) == 1000
    assert ('"triggered": 1000' if words else "1000 triggered") in outcome.out


def test_large_lines_are_several_requests(api: FakeApi, timegate: Timegate) -> None:
    """A request has one megabyte at most."""
    text = (json.dumps({"payload": "x" * 500_000}) + "\n") * 2
    api.will(ok(answer(1), 207), ok(answer(1), 207))
    timegate("jobs", "trigger-many", JOB_ID, "-f", "-", stdin=text)

    assert len(api.calls) == 2


@pytest.mark.parametrize("text", ["", "[]", "{}\n{", "["])
def test_a_file_that_has_no_triggers_is_refused(
    api: FakeApi, timegate: Timegate, text: str
) -> None:
    """Before anything is sent."""
    outcome = timegate("jobs", "trigger-many", JOB_ID, "-f", "-", stdin=text)

    assert outcome.code == 2
    assert api.calls == []


@pytest.mark.parametrize("mark", ["\u2028", "\u0085", "\x7f\u2029"])
def test_a_text_may_hold_other_ends_of_lines(api: FakeApi, timegate: Timegate, mark: str) -> None:
    """JSON lets them stand as they are."""
    api.will(ok(answer(1), 207))
    line = json.dumps({"payload": f"a{mark}b"}, ensure_ascii=False)
    outcome = timegate("jobs", "trigger-many", JOB_ID, "-f", "-", stdin=f"{line}\r\n\n")

    assert outcome.code == 0, outcome.err
    assert api.body == {"triggers": [{"payload": f"a{mark}b"}]}


@pytest.mark.parametrize("command", [("jobs", "trigger-many", JOB_ID), ("events", "send")])
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"data": 1', "line 3 of many.jsonl is not JSON: Expecting"),
        ('{"data": NaN}', "line 3 of many.jsonl is not JSON: Out of range"),
        ("[" * 100_000, "line 3 of many.jsonl is not JSON: "),
        ('{"data": 1, "data": 2}', "line 3 of many.jsonl has 'data' twice in the same object."),
    ],
    ids=["half", "not-a-number", "endless-nesting", "twice"],
)
def test_a_wrong_line_is_named(
    api: FakeApi,
    timegate: Timegate,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    line: str,
    said: str,
) -> None:
    """Before anything is sent, with what is wrong with it."""
    monkeypatch.chdir(tmp_path)
    Path("many.jsonl").write_text(f"{{}}\n\n{line}\n")
    outcome = timegate(*command, "-f", "many.jsonl")

    assert outcome.code == 2
    assert said in " ".join(outcome.err.replace("│", " ").split())
    assert api.calls == []
