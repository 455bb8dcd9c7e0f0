"""``events send``: one event in words, or those of a file."""

import json
from collections.abc import Callable
from typing import Any

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok

Timegate = Callable[..., Outcome]
OF = {"dag_run_id": "d" * 26, "run_id": None}
MET = {"kind": "task", "name": "paid", **OF, "code": None, "detail": None}


def answer(count: int, *, refused: int = 0) -> dict[str, Any]:
    """An answer of the API: the last ones are refused."""
    error = {"code": "invalid_request", "detail": "No.", "errors": []}
    known = {"source": "shop", "status": 202, "error": None, "receipt": "new"}
    items: list[dict[str, Any]] = [
        {**known, "index": n, "id": f"e{n}", "met": [MET]} for n in range(count)
    ]
    for item in items[count - refused :]:
        item |= {"status": 400, "id": None, "receipt": None, "met": [], "error": error}
    return {"items": items, "received": count - refused, "repeated": 0, "failed": refused}


def test_one_event_in_words(api: FakeApi, timegate: Timegate) -> None:
    """It has an id of its own, and the table says what it met."""
    api.will(ok(answer(1), 207))
    words = ("order.paid", "--key", "4711", "--data", '{"amount": 42}')
    outcome = timegate("events", "send", *words)
    (sent,) = api.body

    assert outcome.code == 0, outcome.err
    assert api.asked == ["POST /v1/events"]
    assert sent.pop("id")
    assert sent == {
        "specversion": "1.0",
        "source": "timegate-cli",
        "type": "order.paid",
        "subject": "4711",
        "data": {"amount": 42},
    }
    assert "task paid" in outcome.out


def test_a_long_file_is_several_batches(api: FakeApi, timegate: Timegate) -> None:
    """A hundred events and about a megabyte each; lines are counted through."""
    events = [{"id": str(n)} for n in range(101)]
    api.will(ok(answer(100), 207), ok(answer(1, refused=1), 207))
    outcome = timegate("events", "send", "-f", "-", "--yes", "--json", stdin=json.dumps(events))
    large = (json.dumps({"data": "x" * 500_000}) + "\n") * 2
    api.will(ok(answer(1), 207), ok(answer(1), 207))
    timegate("events", "send", "-f", "-", "--yes", stdin=large)

    assert outcome.code == 1
    assert [len(json.loads(each.content)) for each in api.calls] == [100, 1, 1, 1]
    assert outcome.json["items"][-1]["index"] == 100
    assert (outcome.json["received"], outcome.json["failed"]) == (100, 1)


def test_a_command_names_a_type_or_a_file(api: FakeApi, timegate: Timegate) -> None:
    """Neither and both are refused, and an empty file as well; nothing is sent."""
    wrong = [
        timegate("events", "send"),
        timegate("events", "send", "order.paid", "-f", "-", stdin="{}"),
        timegate("events", "send", "-f", "-", stdin=""),
        timegate("events", "send", "-f", "-", stdin="no"),
    ]

    assert [each.code for each in wrong] == [2, 2, 2, 2]
    assert api.asked == []


def test_a_file_is_sent_after_a_yes(
    api: FakeApi, timegate: Timegate, agreed: Callable[[], None]
) -> None:
    """Without a terminal ``--yes`` is needed, however few events it has; none is sent before."""
    agreed()
    answers = [timegate("events", "send", "-f", "-", "--json", stdin=one) for one in ("{}", "[{}]")]
    before = list(api.asked)
    api.will(ok(answer(1), 207))
    sent = timegate("events", "send", "-f", "-", "--yes", stdin="{}")

    assert [each.code for each in answers] == [2, 2]
    assert json.loads(answers[0].err)["error"]["code"] == "confirmation_required"
    assert before == []
    assert (sent.code, api.asked) == (0, ["POST /v1/events"])


def test_a_dry_run_counts_events_by_their_types(api: FakeApi, timegate: Timegate) -> None:
    """It sends none and needs no yes; an event without a type is counted as such."""
    events = [{"type": "paid"}, *[{"type": "sent"}] * 100, {"id": "1"}]
    words = ("events", "send", "-f", "-", "--dry-run")
    shown = timegate(*words, stdin=json.dumps(events))
    data = timegate(*words, "--json", stdin=json.dumps(events)).json
    one = timegate("events", "send", "order.paid", "--dry-run", "--json").json

    assert shown.out.splitlines()[-1] == "102 events in requests: 2. Nothing was sent."
    assert (data["dry_run"], data["events"], data["requests"]) == (True, 102, 2)
    assert data["types"] == [
        {"type": "sent", "events": 100},
        {"type": "paid", "events": 1},
        {"type": None, "events": 1},
    ]
    assert one["types"] == [{"type": "order.paid", "events": 1}]
    assert api.asked == []
