import { describe, expect, test } from "vitest";

import { foretell, reached } from "../../../src/pages/dag_runs/consequences";

/** extract → load → report; extract → clean on failure; load → note on finished. */
const EDGES = [
  { source: "extract", target: "load" },
  { source: "load", target: "report", condition: "on_success" },
  { source: "extract", target: "clean", condition: "on_failure" },
  { source: "load", target: "note", condition: "on_finished" },
];
const TASKS = [
  { key: "extract", state: "succeeded" },
  { key: "load", state: "failed", reason: "permanent" },
  { key: "report", state: "skipped", reason: "upstream" },
  { key: "clean", state: "skipped", reason: "upstream" },
  { key: "note", state: "succeeded" },
];

test("tasks behind a task are found over every edge, once", () => {
  const diamond = [
    { source: "a", target: "b" },
    { source: "a", target: "c" },
    { source: "b", target: "d" },
    { source: "c", target: "d" },
  ];

  expect([...reached(diamond, ["a"])].sort()).toEqual(["a", "b", "c", "d"]);
});

describe("a retry", () => {
  test("runs again what failed and what came to nothing behind it; successes stay", () => {
    expect(foretell({ kind: "retry" }, "failed", TASKS, EDGES)).toMatchObject({
      refusal: null,
      newRound: true,
      runAgain: ["load", "report"],
      kept: ["extract", "clean", "note"],
    });
  });

  test("leaves a failure that another task dealt with", () => {
    const edges = [...EDGES, { source: "load", target: "clean", condition: "on_failure" }];

    expect(foretell({ kind: "retry" }, "failed", TASKS, edges).refusal).toMatch(/Nothing/);
  });

  test("waits for the end of the DAG run", () => {
    expect(foretell({ kind: "retry" }, "running", TASKS, EDGES).refusal).toMatch(/goes on/);
  });
});

test("a cancel meets what waits or works, and nothing of a DAG run that has ended", () => {
  const tasks = [
    { key: "a", state: "succeeded" },
    { key: "b", state: "running" },
    { key: "c", state: "pending" },
  ];

  expect(foretell({ kind: "cancel" }, "running", tasks, []).cancelled).toEqual(["b", "c"]);
  expect(foretell({ kind: "cancel" }, "failed", tasks, []).refusal).not.toBeNull();
});

describe("a rerun", () => {
  test("of a branch takes all behind the task with it, successes among them", () => {
    const { runAgain } = foretell(
      { kind: "rerun", key: "load", scope: "branch" },
      "failed",
      TASKS,
      EDGES,
    );

    expect(runAgain).toEqual(["load", "report", "note"]);
  });

  test("of a task takes what behind it came to nothing", () => {
    const { runAgain } = foretell(
      { kind: "rerun", key: "load", scope: "task" },
      "failed",
      TASKS,
      EDGES,
    );

    expect(runAgain).toEqual(["load", "report"]);
  });

  test("is refused of a pending task, and while the DAG run is stopped or put back", () => {
    const pending = [{ key: "a", state: "pending" }];
    const again = { kind: "rerun", key: "a", scope: "task" } as const;

    expect(foretell(again, "running", pending, []).refusal).toMatch(/not started/);
    expect(
      foretell({ ...again, key: "load" }, "stopping", TASKS, EDGES).refusal,
    ).toMatch(/stopped/);
    expect(
      foretell({ ...again, key: "load" }, "reopening", TASKS, EDGES).refusal,
    ).toMatch(/put back/);
  });
});

describe("complete and skip", () => {
  test("of a task under way decide it at once and cancel its run", () => {
    const tasks = [{ key: "a", state: "running" }];

    expect(foretell({ kind: "complete", key: "a" }, "running", tasks, [])).toMatchObject({
      newRound: false,
      decided: ["a"],
      cancelled: ["a"],
      runAgain: [],
    });
  });

  test("of a task that failed put back what came to nothing behind it", () => {
    expect(foretell({ kind: "skip", key: "load" }, "failed", TASKS, EDGES)).toMatchObject({
      newRound: true,
      decided: ["load"],
      runAgain: ["report"],
    });
  });

  test("of an ended DAG run also put back what fail_fast had cancelled", () => {
    const tasks = [...TASKS, { key: "aside", state: "cancelled", reason: "fail_fast" }];

    expect(foretell({ kind: "complete", key: "load" }, "failed", tasks, EDGES).runAgain).toEqual([
      "report",
      "aside",
    ]);
  });

  test("are refused of a success, and a skip of a skip", () => {
    expect(
      foretell({ kind: "complete", key: "extract" }, "failed", TASKS, EDGES).refusal,
    ).not.toBeNull();
    expect(foretell({ kind: "skip", key: "clean" }, "failed", TASKS, EDGES).refusal).not.toBeNull();
    expect(foretell({ kind: "complete", key: "clean" }, "failed", TASKS, EDGES).refusal).toBeNull();
  });
});
