"""``runs attempts|result|logs``."""

from collections.abc import Callable

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from tests.functional.cli.samples import RUN_ID, run

Timegate = Callable[..., Outcome]


def test_attempts_are_listed(api: FakeApi, timegate: Timegate) -> None:
    """The list is that of a run."""
    api.will(page(run()["attempts"]))
    outcome = timegate("runs", "attempts", RUN_ID)

    assert api.asked == [f"GET /v1/runs/{RUN_ID}/attempts"]
    assert "worker-1" in outcome.out


def test_a_run_shows_the_key_that_its_trigger_named(api: FakeApi, timegate: Timegate) -> None:
    """The caller's text cannot steer the terminal; without a key there is no line."""
    api.will(ok(run(concurrency_key="globex\x1b[2J")))
    named = timegate("runs", "get", RUN_ID)
    api.will(ok(run(concurrency_key=None)))
    unnamed = timegate("runs", "get", RUN_ID)

    lines = [text.split() for text in named.out.splitlines()]
    assert ["key", "globex\\x1b[2J"] in lines
    assert "key" not in [text.split()[0] for text in unnamed.out.splitlines() if text.strip()]


def test_a_result_is_shown_with_where_the_whole_is(api: FakeApi, timegate: Timegate) -> None:
    """The target's text cannot steer the terminal."""
    result = {
        "run_id": RUN_ID,
        "attempt": 1,
        "state": "succeeded",
        "result": "a\x1b[2Jb",
        "size_bytes": 2000,
        "link": "https://blobs.example.com/results/1?signature=2",
        "link_expires_at": "2026-11-21T07:15:00.000Z",
    }
    api.will(ok(result))
    shown = timegate("runs", "result", RUN_ID)
    printed = timegate("runs", "result", RUN_ID, "--json")

    assert api.asked == [f"GET /v1/runs/{RUN_ID}/result"] * 2
    assert "\x1b[2J" not in shown.out
    for text in ("2000 bytes", result["link"], "2026-11-21 07:15:00 UTC"):
        assert str(text) in shown.out
    assert printed.json == result


def test_a_log_is_shown_line_by_line(api: FakeApi, timegate: Timegate) -> None:
    """Nothing in it steers the terminal either."""
    line = {"at": "2026-11-21T07:00:00.000Z", "attempt": 1, "kind": "ended", "text": "no\x1b[2J"}
    line["level"] = None
    api.will(page([line]))
    outcome = timegate("runs", "logs", RUN_ID)

    assert api.asked == [f"GET /v1/runs/{RUN_ID}/logs"]
    assert outcome.out.splitlines()[1].split()[2:] == ["1", "ended", r"no\x1b[2J"]


def said(text: str, *, at: int = 0, level: str | None = "info") -> dict[str, object]:
    """A line of a log."""
    instant = f"2026-11-21T07:00:{at:02}.000Z"
    return {"at": instant, "attempt": 1, "kind": "message", "level": level, "text": text}


def test_a_long_log_is_shown_whole(api: FakeApi, timegate: Timegate) -> None:
    """All its pages, as one."""
    api.will(page([said("a")], cursor="1.1.x"), page([said("b", level="warning")]))
    printed = timegate("runs", "logs", RUN_ID, "--json")

    path = f"GET /v1/runs/{RUN_ID}/logs"
    assert api.asked == [path, f"{path}?cursor=1.1.x"]
    assert [line["text"] for line in printed.json["items"]] == ["a", "b"]


def test_a_log_is_followed_until_the_run_has_ended(api: FakeApi, timegate: Timegate) -> None:
    """Each line once, also one that says what another said; only the last page is read again."""
    api.will(
        ok(run("running")),
        page([said("a"), said("a")], cursor="1.1.x"),
        page([said("b", at=1)]),
        ok(run("succeeded")),
        page([said("b", at=1), said("\x1b[2J", at=2, level="error")]),
    )
    outcome = timegate("runs", "logs", RUN_ID, "--follow")

    assert [line.split()[3:] for line in outcome.out.splitlines()] == [
        ["info", "a"],
        ["info", "a"],
        ["info", "b"],
        ["error", r"\x1b[2J"],
    ]
    assert api.asked[-1] == f"GET /v1/runs/{RUN_ID}/logs?cursor=1.1.x"
