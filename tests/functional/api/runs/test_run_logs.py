"""A holder's log lines are kept under its lease, and read between the recorded events."""

import pytest

from tests.support.api import Api
from tests.support.factories import OTHER_TENANT
from tests.support.pools.worker_requests import claim, offer, say
from tests.support.targets import calling_back
from timegate.domain.ledger.worker_log import MAX_BATCHES, MAX_LINES
from timegate.usecases.ledger import read_log


def read(api: Api, run_id: object, cursor: str | None = None) -> list[tuple[str, str | None, str]]:
    """Return kind, level and text of each line, page by page from a cursor."""
    query = f"?cursor={cursor}" if cursor is not None else ""
    page = api.send("GET", f"/v1/runs/{run_id}/logs{query}").body
    lines = [(line["kind"], line["level"], line["text"]) for line in page["items"]]
    following = page["next_cursor"]
    return lines if following is None else lines + read(api, run_id, following)


def test_what_a_worker_says_stands_where_it_belongs(api: Api) -> None:
    """Between its beginning and its end, in the order in which it was said."""
    offer(api)
    (run,) = claim(api)
    api.world.clock.advance(10)
    first = [{"text": "open", "level": "warning"}, {"text": "b"}, {"text": "a"}]
    said = say(api, "logs", run, sequence=1, lines=first)
    api.world.clock.advance(10)
    say(api, "heartbeat", run, progress={"percent": 50})
    api.world.clock.advance(10)
    say(api, "logs", run, sequence=2, lines=[{"text": "closed"}])
    say(api, "complete", run)

    assert (said.status, said.body) == (200, {"run_id": run["run_id"]})
    assert [(kind, level) for kind, level, _ in read(api, run["run_id"])] == [
        ("created", None),
        ("started", None),
        ("message", "warning"),
        ("message", "info"),
        ("message", "info"),
        ("progress", None),
        ("message", "info"),
        ("ended", None),
    ]
    assert [text for kind, _, text in read(api, run["run_id"]) if kind == "message"] == [
        *("open", "b", "a", "closed")
    ]


def test_a_target_that_calls_back_is_heard_as_a_worker_is(api: Api) -> None:
    """With the token that it has."""
    call = calling_back.begin(api)
    lines = [{"text": "four of ten"}]
    said = calling_back.say(api, "logs", call, sequence=1, lines=lines)

    assert said.status == 200
    assert ("message", "info", "four of ten") in read(api, call.attempt.run)


def test_what_is_said_twice_is_kept_once(api: Api) -> None:
    """Under the same number, whatever it says the second time."""
    offer(api)
    (run,) = claim(api)
    for text in ("once", "twice"):
        assert say(api, "logs", run, sequence=1, lines=[{"text": text}]).status == 200

    assert [text for kind, _, text in read(api, run["run_id"]) if kind == "message"] == ["once"]
    assert api.world.telemetry.counts["LogLinesKept"] == 1


def test_only_who_holds_the_run_is_heard(api: Api) -> None:
    """Not after its loss, nor after its end, nor another tenant; each lease counts anew."""
    offer(api, timeout_seconds=600)
    (first,) = claim(api)
    say(api, "logs", first, sequence=1, lines=[{"text": "first"}])
    api.world.clock.advance(60)
    (second,) = claim(api, worker="another")
    lost = say(api, "logs", first, sequence=2, lines=[{"text": "late"}])
    say(api, "logs", second, sequence=1, lines=[{"text": "second"}])
    foreign = say(api, "logs", second, sequence=2, lines=[{"text": "x"}], tenant=OTHER_TENANT)
    say(api, "complete", second)
    ended = say(api, "logs", second, sequence=2, lines=[{"text": "afterwards"}])

    assert [each.code for each in (lost, foreign, ended)] == ["lease_lost"] * 3
    assert [text for kind, _, text in read(api, first["run_id"]) if kind == "message"] == [
        *("first", "second")
    ]


def test_a_speakers_clock_counts_within_its_lease(api: Api) -> None:
    """Earlier is its beginning, later is now: nothing stands before it began or after it ended."""
    offer(api)
    (run,) = claim(api)
    api.world.clock.advance(10)
    instants = ("2026-11-21T06:59:00Z", "2026-11-21T07:00:04.5Z", "2026-11-21T07:00:11Z")
    lines = [{"text": text, "at": text} for text in instants]
    say(api, "logs", run, sequence=1, lines=lines)
    page = api.send("GET", f"/v1/runs/{run['run_id']}/logs").body["items"]

    assert [line["at"] for line in page if line["kind"] == "message"] == [
        "2026-11-21T07:00:00.000Z",
        "2026-11-21T07:00:04.500Z",
        "2026-11-21T07:00:10.000Z",
    ]


@pytest.mark.parametrize(
    ("sequence", "lines", "refused"),
    [
        (0, [{"text": "x"}], ("sequence", "too_small")),
        (1, [{"text": "x"}], None),
        (MAX_BATCHES, [{"text": "x"}], None),
        (MAX_BATCHES + 1, [{"text": "x"}], ("sequence", "too_large")),
        (1, [], ("lines", "too_short")),
        (1, [{"text": "x"}] * MAX_LINES, None),
        (1, [{"text": "x"}] * (MAX_LINES + 1), ("lines", "too_long")),
        (1, [{"text": ""}], ("lines.0.text", "too_short")),
        (1, [{"text": "x" * 4096}] * 8, None),
        (1, [{"text": "x" * 4097}], ("lines.0.text", "too_long")),
        (1, [*[{"text": "x" * 4096}] * 8, {"text": "x"}], ("lines", "too_large")),
        (1, [{"text": "x", "level": "loud"}], ("lines.0.level", "invalid_choice")),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_log_has_its_bounds(
    api: Api, sequence: int, lines: list[dict[str, str]], refused: tuple[str, str] | None
) -> None:
    """A batch is an item, and a lease has so many."""
    offer(api)
    (run,) = claim(api)
    answer = say(api, "logs", run, sequence=sequence, lines=lines)

    assert (answer.fields if answer.status == 400 else None) == (
        [refused] if refused is not None else None
    )


def test_a_long_log_is_read_in_pages(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line on one of them, and those of the records where they belong."""
    monkeypatch.setattr(read_log, "PAGE_BATCHES", 2)
    offer(api)
    (run,) = claim(api)
    for number in range(1, 6):
        api.world.clock.advance(1)
        say(api, "logs", run, sequence=number, lines=[{"text": f"{number}"}])
        if number == 3:
            say(api, "heartbeat", run, progress={"message": "half"})
    say(api, "complete", run)
    first = api.send("GET", f"/v1/runs/{run['run_id']}/logs").body

    assert len(first["items"]) == 4
    assert [text for _, _, text in read(api, run["run_id"])][2:-1] == [
        *("1", "2", "half", "3", "4", "5")
    ]


@pytest.mark.parametrize("cursor", ["x", "1.2", "1.x.20261121T070000000Z", "1.1.x"])
def test_a_cursor_that_is_none_is_refused(api: Api, cursor: str) -> None:
    """Every listing refuses it alike."""
    offer(api)
    (run,) = claim(api)
    answer = api.send("GET", f"/v1/runs/{run['run_id']}/logs?cursor={cursor}")

    assert (answer.status, answer.fields) == (400, [("cursor", "invalid_cursor")])
