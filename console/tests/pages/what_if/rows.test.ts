import { describe, expect, it } from "vitest";

import { pairsOf, type Row } from "../../../src/pages/what_if/rows";
import {
  firstQuestion,
  plainScenario,
  problemsOf,
  type Question,
  questionOf,
  scenarioOf,
  searchOf,
} from "../../../src/pages/what_if/scenario";

const JOB = "bwjvcytzr72gxmnvxjbslykqdc";
const HOURLY = { kind: "cron", cron: "0 * * * *", timezone: "UTC" };
const NOW = Date.parse("2026-11-21T07:16:00Z");

function run(at: string, changes: object = {}): Row {
  return {
    job: null,
    type: "run",
    scheduled_at: at,
    state: "succeeded",
    reason: null,
    job_version: 1,
    planned_at: at,
    due_at: at,
    started_at: at,
    ended_at: at,
    lateness_ms: 0,
    duration_ms: 0,
    finish_by: null,
    trigger: null,
    ...changes,
  };
}

const gap = (first: string, last: string, count: number): Row =>
  ({ job: null, type: "gap", first, last, count, state: "skipped", reason: "missed_window", rolled_to: null, job_version: 1, recorded_at: last });

describe("records side by side", () => {
  it("pair runs of the same instant, and tell which are different", () => {
    const late = { started_at: "2026-11-21T09:05:00.000Z", lateness_ms: 300_000 };
    const pairs = pairsOf([run("2026-11-21T08:00:00.000Z"), run("2026-11-21T09:00:00.000Z")], [run("2026-11-21T08:00:00.000Z"), run("2026-11-21T09:00:00.000Z", late)]);

    expect(pairs.map(({ first, isChanged }) => [first, isChanged])).toEqual([
      ["2026-11-21T08:00:00.000Z", false],
      ["2026-11-21T09:00:00.000Z", true],
    ]);
  });

  it("pair a run with the gap of its one instant, and no run with a gap of several", () => {
    const [one, two, three] = ["2026-11-21T08:00:00.000Z", "2026-11-21T09:00:00.000Z", "2026-11-21T10:00:00.000Z"];
    const alone = pairsOf([run(one)], [gap(one, one, 1)]);
    const several = pairsOf([run(two), run(three)], [gap(two, three, 2)]);

    expect(alone.map(({ before, after }) => [before?.type, after?.type])).toEqual([["run", "gap"]]);
    expect(several.map(({ before, after, count }) => [before?.type, after?.type, count])).toEqual([
      ["run", undefined, 1],
      [undefined, "gap", 2],
      ["run", undefined, 1],
    ]);
  });

  it("lose no record of either, whatever they are", () => {
    const before = [run("2026-11-21T08:00:00.000Z"), gap("2026-11-21T09:00:00.000Z", "2026-11-21T10:00:00.000Z", 2)];
    const after = [gap("2026-11-21T08:00:00.000Z", "2026-11-21T09:00:00.000Z", 2), run("2026-11-21T10:00:00.000Z")];
    const pairs = pairsOf(before, after);

    expect(pairs.flatMap((pair) => (pair.before === null ? [] : [pair.before]))).toEqual(before);
    expect(pairs.flatMap((pair) => (pair.after === null ? [] : [pair.after]))).toEqual(after);
  });

  it("are the same where only the version and the planning differ", () => {
    const at = "2026-11-21T08:00:00.000Z";
    const [pair] = pairsOf([run(at)], [run(at, { job_version: 2, planned_at: "2026-11-21T07:00:00.000Z" })]);

    expect(pair?.isChanged).toBe(false);
  });
});

describe("a question", () => {
  const first = firstQuestion(NOW, HOURLY);

  it("is about the coming day, and comes back from its address", () => {
    const search = new URLSearchParams(Object.entries(searchOf(first)).filter(([, value]) => value !== null) as string[][]);

    expect([first.from, first.to]).toEqual(["2026-11-21T08:00:00Z", "2026-11-22T08:00:00Z"]);
    expect(questionOf(search)).toEqual(first);
    expect(questionOf(new URLSearchParams("tab=what-if"))).toBeNull();
  });

  it.each([
    ["planner", { planner: true, executor: false }],
    ["executor", { planner: false, executor: true }],
    ["both", { planner: true, executor: true }],
    ["", { planner: false, executor: false }],
  ] as const)("takes away what it names: %s", (outage, is) => {
    const scenario = scenarioOf(JOB, { ...first, outage });
    const away = { outages: [{ from: "2026-11-21T09:00:00.000Z", to: "2026-11-21T11:00:00.000Z" }] };

    expect(scenario.planner).toEqual(is.planner ? away : undefined);
    expect(scenario.executor).toEqual(is.executor ? away : undefined);
  });

  it("edits the schedule only at an instant", () => {
    const edit = { ...first, outage: "", editAt: "2026-11-21T12:00:00Z", schedule: JSON.stringify({ kind: "rate", every_seconds: 60 }) } as Question;

    expect(scenarioOf(JOB, edit)).toEqual({
      ...plainScenario(JOB, first),
      edits: [{ at: "2026-11-21T12:00:00.000Z", schedule: { kind: "rate", every_seconds: 60 } }],
    });
    expect(scenarioOf(JOB, { ...edit, editAt: "" })).toEqual(plainScenario(JOB, first));
  });

  it("is not sent before its instants are instants, in their order", () => {
    const wrong = { ...first, from: "soon", outageTo: first.outageFrom, editAt: "later", schedule: "{" };

    expect(Object.keys(problemsOf(wrong)).sort()).toEqual(["editAt", "from", "outageTo", "schedule"]);
    expect(problemsOf({ ...wrong, from: first.from, outage: "", editAt: "" })).toEqual({});
  });
});
