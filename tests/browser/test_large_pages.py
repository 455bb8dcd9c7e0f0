"""Pages at the size that they promise: what is drawn, and how long an interaction takes.

Times of a machine are printed where ``TIMEGATE_TIMES`` is set, and asserted nowhere.
"""

import os
import re
import sys
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser

from tests.browser.mock_stage import MockStage, example
from tests.browser.window import Window, window

TASKS, WIDTH, ROWS = 500, 20, 100
RUN_ID = "e7raeehh2bcxbg265lulbgsicz"
RUN = f"/v1/dag-runs/{RUN_ID}"
#: Interactions, as the browser measures them: from the event to the next frame that shows it.
_WATCH = """
() => { window.spans = [];
  new PerformanceObserver((list) => { for (const each of list.getEntries())
    if (each.interactionId > 0) window.spans.push([each.name, each.duration]); })
    .observe({ type: "event", durationThreshold: 16, buffered: false });
  window.long = [];
  new PerformanceObserver((list) => { for (const each of list.getEntries())
    window.long.push(each.duration); }).observe({ type: "longtask" }); }
"""
_FRAMES = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))"


def large_run() -> MockStage:
    """A stage with a DAG run of 500 tasks in layers of twenty, of which some failed."""
    keys = [f"task{number:03}" for number in range(TASKS)]
    states = ["failed" if number % 100 == 99 else "succeeded" for number in range(TASKS)]
    graph, run = example("GET", f"{RUN}/graph"), example("GET", RUN)
    node, task = graph["nodes"][0], run["tasks"][0]
    named = list(zip(keys, states, strict=True))
    nodes = [{**node, "key": key, "title": key, "state": state} for key, state in named]
    edges = [
        {"source": keys[number - WIDTH], "target": keys[number], "condition": "on_success"}
        for number in range(WIDTH, TASKS)
    ]
    tasks = [{**task, "key": key, "name": key, "state": state} for key, state in named]
    counts = {"task_count": TASKS, "ended_count": TASKS, "failed_count": 5, "status": "failed"}
    ended = {"ended_at": "2026-11-21T07:30:00.000Z"}
    return MockStage(
        answers={
            f"GET {RUN}/graph": {**graph, "nodes": nodes, "edges": edges},
            f"GET {RUN}": {**run, **counts, **ended, "tasks": tasks},
        }
    )


def dense_run() -> MockStage:
    """The same with 2,000 edges, which may lead far: their fine layout takes minutes."""
    stage = large_run()
    graph = stage.answers[f"GET {RUN}/graph"]
    keys = [each["key"] for each in graph["nodes"]]
    pairs = [
        (number, number + 1 + number * step % 59) for step in range(1, 5) for number in range(TASKS)
    ]
    graph["edges"] = [
        {"source": keys[source], "target": keys[target], "condition": "on_success"}
        for source, target in sorted(set(pairs))
        if target < TASKS
    ]
    return stage


def many_jobs() -> MockStage:
    """A stage whose page of jobs is as long as a page may be."""
    page = example("GET", "/v1/jobs")
    rows = [{**page["items"][0], "job_id": f"{n:026}", "name": f"job {n}"} for n in range(100)]
    return MockStage(answers={"GET /v1/jobs": {**page, "items": rows, "next_cursor": None}})


@dataclass
class Times:
    """A person's actions on a page, and the time until the browser showed each."""

    opened: Window
    found: dict[str, Any] = field(default_factory=dict)

    def of(self, name: str, act: Any) -> None:  # noqa: ANN401 - any action
        """Measure one interaction."""
        page = self.opened.page
        page.evaluate("() => { window.spans.length = 0; window.long.length = 0; }")
        act()
        page.evaluate(_FRAMES)
        page.wait_for_timeout(200)
        spans, long = page.evaluate("() => [window.spans, window.long]")
        longest = max((duration for _, duration in spans), default=0)
        self.found[name] = {"longest_ms": longest, "long_tasks": [round(each) for each in long]}

    def tell(self) -> None:
        """Print the times, if they are wanted."""
        if os.environ.get("TIMEGATE_TIMES"):
            for name, times in self.found.items():
                sys.stdout.write(f"{name} {times}\n")


def nodes(opened: Window) -> int:
    """Tasks of the graph that are drawn."""
    return int(opened.page.locator(".react-flow__node").count())


def test_a_graph_of_500_tasks_draws_what_is_in_sight(browser: Browser, site: str) -> None:
    """A task that is found elsewhere moves into sight; others are not drawn, as in a table."""
    with window(browser, site, large_run()) as opened:
        opened.page.evaluate(_WATCH)
        times = Times(opened)
        page = opened.page

        def drawn() -> None:
            opened.desk.go(f"/dag-runs/{RUN_ID}")
            page.locator(".react-flow__node").first.wait_for(timeout=120_000)

        times.of("500 tasks: open and lay out", drawn)
        first = nodes(opened)
        times.of(
            "500 tasks: choose one",
            lambda: page.locator(".react-flow__node").first.dispatch_event("click"),
        )
        opened.desk.button("Close the task").wait_for(timeout=30_000)
        times.of(
            "500 tasks: as a table",
            lambda: page.get_by_role("tab", name=f"Tasks ({TASKS})").click(),
        )
        row = page.get_by_role("row", name=re.compile("^task"))
        row.first.wait_for(timeout=30_000)
        rows = [row.count()]
        behind = opened.desk.button("Tasks behind")
        while behind.is_enabled():
            times.of("500 tasks: the next page of the table", behind.click)
            rows.append(row.count())
        times.of(
            "500 tasks: as a chart",
            lambda: page.get_by_role("tab", name="Gantt").click(),
        )
        times.tell()

        assert 0 < first < TASKS // 4
        assert rows == [ROWS] * (TASKS // ROWS)
        assert opened.complaints == []


def test_a_graph_of_2000_edges_is_drawn(browser: Browser, site: str) -> None:
    """It is laid out plainly once a fine layout has taken too long."""
    with window(browser, site, dense_run()) as opened:
        opened.desk.go(f"/dag-runs/{RUN_ID}")
        opened.page.locator(".react-flow__node").first.wait_for(timeout=60_000)

        assert 0 < nodes(opened) < TASKS
        assert opened.complaints == []


def test_a_page_of_100_jobs_answers_each_key(browser: Browser, site: str) -> None:
    """Its filter opens, takes text and gives way without another read of the listing."""
    with window(browser, site, many_jobs()) as opened:
        opened.page.evaluate(_WATCH)
        times = Times(opened)
        page = opened.page
        times.of("100 jobs: open", lambda: opened.desk.go("/jobs"))
        asked = len(opened.asked)
        search = page.get_by_placeholder("Filter jobs")
        times.of("100 jobs: click into the filter", search.click)
        times.of("100 jobs: type", lambda: page.keyboard.type("sta"))
        times.of("100 jobs: escape", lambda: page.keyboard.press("Escape"))
        times.of("100 jobs: open the palette", lambda: page.keyboard.press("Control+k"))
        times.tell()

        assert page.locator("main table tbody tr").count() == 100
        assert [each for each in opened.asked[asked:] if "/v1/jobs" in each.url] == []
        assert opened.complaints == []
