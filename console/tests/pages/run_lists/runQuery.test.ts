import { expect, test } from "vitest";

import { failuresOf, optionsOf, pendingOf, pendingRefusal, runQueryOf } from "../../../src/pages/run_lists/runQuery";

const queryOf = (text: string) => runQueryOf(new URLSearchParams(text), null);

test("a filter of the URL selects failed runs as their redrive does", () => {
  expect(failuresOf(queryOf("state=failed&tag=team:ops&tag=bare&late_seconds=60&to=2026-11-21T00:00:00Z"))).toEqual({
    state: ["failed"],
    tags: { team: "ops", bare: "" },
    late_seconds: 60,
    to: "2026-11-21T00:00:00Z",
  });
  expect(failuresOf(queryOf(""))).toEqual({ all: true });
});

test("pending runs are selected by jobs, and never all of them by an empty filter", () => {
  expect(pendingOf(queryOf("state=waiting&name=n*&tag=team:ops"))).toEqual({ name: "n*", tags: { team: "ops" } });
  expect(pendingRefusal(queryOf("name=n*"))).toBeNull();
  expect(pendingRefusal(queryOf(""))).toMatch(/Filter by job/);
  expect(pendingRefusal(queryOf("name=n*&reason=late"))).toMatch(/alone/);
});

test("two values of one tag select nothing, and not the jobs of the last", () => {
  expect(pendingRefusal(queryOf("tag=team:ops&tag=team:billing"))).toMatch(/two values of the tag team/);
  expect(pendingRefusal(queryOf("tag=team:ops&tag=team:ops&tag=tier:ops"))).toBeNull();
});

test("a filter is written as options, with its span", () => {
  const query = runQueryOf(new URLSearchParams("job_id=a&dag_run_id=b&to=c&late_seconds=5"), "2026-11-21T00:00:00Z");

  expect(optionsOf(query, "24h")).toEqual([
    ["--since", "24h"],
    ["--job", "a"],
    ["--dag-run", "b"],
    ["--late", "5s"],
    ["--until", "c"],
  ]);
});
