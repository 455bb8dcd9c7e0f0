"""``GET …/ledger`` and ``GET …/explain``: what became of a job's instants."""

from pathlib import Path

import pytest

from tests.support.api import Answer, Api
from tests.support.documents.http_examples import agrees, read_examples
from tests.support.factories import after
from timegate.domain.values.instants import rfc3339

DOCUMENT = Path(__file__).resolve().parents[4] / "docs" / "concepts" / "ledger.md"
EVERY_MINUTE = {"kind": "rate", "every_seconds": 60, "starts_at": "2026-11-21T07:00:00Z"}


def outage(api: Api) -> str:
    """A job of every minute, planned to 07:10; then no planner runs until 08:00:30. Its path."""
    job_id = api.create(
        schedule=EVERY_MINUTE, catch_up={"policy": "latest"}, start_within_seconds=600
    )["job_id"]
    world = api.world
    world.stream()
    world.execute(world.receive())
    world.clock.advance(3630)
    world.tick()
    return f"/v1/jobs/{job_id}"


def ledger(api: Api, path: str, start: float, end: float, **query: object) -> Answer:
    """A range in seconds after the tests' beginning."""
    given = {"from": rfc3339(after(start)), "to": rfc3339(after(end)), **query}
    return api.send("GET", f"{path}/ledger?" + "&".join(f"{k}={v}" for k, v in given.items()))


def explain(api: Api, path: str, at: float) -> Answer:
    """An instant in seconds after the tests' beginning."""
    return api.send("GET", f"{path}/explain?at={rfc3339(after(at))}")


def accounted(answer: Answer) -> int:
    """The instants that a page of the ledger accounts for."""
    return sum(item.get("count", 1) for item in answer.body["items"])


def test_an_outage_leaves_no_instant_unaccounted_for(api: Api) -> None:
    """Runs before it, one gap, the latest missed instant, and what is planned."""
    path = outage(api)
    answer = ledger(api, path, 0, 4200)
    gaps = [item for item in answer.body["items"] if item["kind"] == "gap"]

    assert answer.status == 200
    assert accounted(answer) == 70
    assert [(gap["first"], gap["last"], gap["count"], gap["reason"]) for gap in gaps] == [
        ("2026-11-21T07:11:00.000Z", "2026-11-21T07:58:00.000Z", 48, "missed_window")
    ]
    assert answer.body["next_cursor"] is None


def test_an_explained_run_says_where_its_time_went(api: Api) -> None:
    """Each step of its last attempt, as the run itself shows them; rows of a ledger do not."""
    path = f"/v1/jobs/{api.create(schedule={'kind': 'immediate'})['job_id']}"
    api.world.execute(api.world.receive())
    record = explain(api, path, 0).body["record"]
    run = api.send("GET", f"/v1/runs/{record['run_id']}").body
    (row,) = ledger(api, path, 0, 0).body["items"]

    assert record["timeline"] == run["attempts"][-1]["timeline"]
    assert record["timeline"]["started_at"] is not None
    assert record["due_at"] == run["due_at"]
    assert record == row | {"due_at": record["due_at"], "timeline": record["timeline"]}


@pytest.mark.parametrize("limit", [1, 7, 500])
def test_pages_are_the_whole_in_order(api: Api, limit: int) -> None:
    """Pages of any size show each row once."""
    path = outage(api)
    whole = ledger(api, path, 0, 4200).body["items"]
    items: list[object] = []
    query: dict[str, object] = {"limit": limit}
    while True:
        body = ledger(api, path, 0, 4200, **query).body
        items += body["items"]
        assert len(body["items"]) <= limit
        if body["next_cursor"] is None:
            break
        query["cursor"] = body["next_cursor"]

    assert items == whole


def test_a_gap_that_reaches_into_the_range_is_shown_whole(api: Api) -> None:
    """A part of it would need a count that no record has."""
    path = outage(api)
    (inside,) = ledger(api, path, 1200, 1230).body["items"]

    assert (inside["kind"], inside["count"]) == ("gap", 48)
    assert ledger(api, path, -86_400, -1).body == {"items": [], "next_cursor": None}


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("", "from", "missing"),
        ("from=2026-11-21T00:00:00Z", "to", "missing"),
        ("from=2026-11-21T00:00:00Z&to=yesterday", "to", "invalid_instant"),
        ("from=2026-11-21T00:00:00&to=2026-11-21T00:00:00Z", "from", "no_utc_offset"),
        ("from=2026-11-21T00:00:00.001Z&to=2026-11-21T00:00:00Z", "to", "range_reversed"),
        ("from=2026-01-01T00:00:00Z&to=2027-01-02T00:00:00.001Z", "to", "range_too_long"),
        ("from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&limit=501", "limit", "too_large"),
        ("from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&limit=0", "limit", "too_small"),
        ("from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&cursor=x", "cursor", "invalid_cursor"),
        ("from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z&since=x", "since", "unknown_field"),
    ],
)
def test_a_range_that_is_none_is_refused(api: Api, query: str, field: str, code: str) -> None:
    """With the field that is wrong."""
    path = f"/v1/jobs/{api.create()['job_id']}"
    answer = api.send("GET", f"{path}/ledger?{query}")

    assert answer.status == 400
    assert (field, code) in answer.fields


def test_the_longest_range_and_the_shortest_are_served(api: Api) -> None:
    """366 days, and one instant."""
    path = f"/v1/jobs/{api.create()['job_id']}"

    assert ledger(api, path, 0, 366 * 86_400).status == 200
    assert ledger(api, path, 0, 0).status == 200


def test_a_cursor_of_another_job_or_range_is_refused(api: Api) -> None:
    """It would leave out what was never shown."""
    path, other = outage(api), f"/v1/jobs/{api.create()['job_id']}"
    cursor = ledger(api, path, 0, 4200, limit=1).body["next_cursor"]

    assert [
        ledger(api, other, 0, 4200, cursor=cursor).fields,
        ledger(api, path, 3600, 4200, cursor=cursor).fields,
        ledger(api, path, 0, 4200, cursor=cursor.replace("20261121", "20261341")).fields,
    ] == [
        [("cursor", "invalid_cursor")],
        [("cursor", "cursor_of_other_filters")],
        [("cursor", "invalid_cursor")],
    ]


@pytest.mark.parametrize("what", ["ledger?from={0}&to={0}", "explain?at={0}"])
def test_another_tenants_ledger_is_not_there(api: Api, what: str) -> None:
    """The answer is that for an unknown job (S1)."""
    path = outage(api)
    asked = f"{path}/{what.format('2026-11-21T07:20:00Z')}"

    assert api.send("GET", asked).status == 200
    assert api.send("GET", asked, tenant="globex").code == "job_not_found"


@pytest.mark.parametrize(
    ("at", "verdict", "shown"),
    [
        pytest.param(-1, "before_job", None, id="before"),
        pytest.param(60, "run", "run", id="ran"),
        pytest.param(61, "not_named", None, id="between"),
        pytest.param(1200, "gap", "gap", id="missed"),
        pytest.param(1201, "not_named", None, id="inside-the-gap"),
        pytest.param(3540, "run", "run", id="latest"),
        pytest.param(4200, "run", "run", id="planned-ahead"),
        pytest.param(7200, "planned", None, id="to-come"),
    ],
)
def test_every_instant_has_an_answer(api: Api, at: float, verdict: str, shown: str | None) -> None:
    """With the record it rests on."""
    answer = explain(api, outage(api), at)
    record = answer.body["record"]

    assert (answer.status, answer.body["verdict"]) == (200, verdict)
    assert (record and record["kind"]) == shown
    assert answer.body["explanation"].endswith(".")
    assert record is None or record["explanation"] == answer.body["explanation"]


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("", [("at", "missing")]),
        ("?at=now", [("at", "invalid_instant")]),
        ("?at=2026-11-21T07:00:00", [("at", "no_utc_offset")]),
    ],
)
def test_an_instant_has_to_be_one(api: Api, query: str, fields: list[tuple[str, str]]) -> None:
    """The refusal is that of any instant."""
    path = f"/v1/jobs/{api.create()['job_id']}"

    assert api.send("GET", f"{path}/explain{query}").fields == fields


def test_the_page_on_the_ledger_shows_what_is_answered(api: Api) -> None:
    """Its examples are those of the outage here."""
    job_id = outage(api).rpartition("/")[2]
    examples = read_examples(DOCUMENT.read_text())
    assert len(examples) == 2

    for request, shown in examples:
        method, target = request.first.split(" ", 1)
        answer = api.send(method, target.format(job_id=job_id))

        assert shown.first == "200 OK"
        assert agrees(shown.body, answer.body), answer.body
