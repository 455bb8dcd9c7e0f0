import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import JobTimes from "../../../src/pages/job_times/JobTimes";
import { chartOf, HEIGHT, middleOf, WIDTH } from "../../../src/pages/job_times/chart";
import { run } from "../../support/answers";
import { expectAccessible } from "../../support/renderPage";
import { show } from "../../support/page";
import { wholeOf } from "../../support/random";

const JOB = "bwjvcytzr72gxmnvxjbslykqdc";
const BEGIN = Date.parse("2026-11-21T00:00:00Z");

/** Runs of an answer, the latest first: some waited, some failed, one has not begun. */
function runsOf(seed: number) {
  const whole = wholeOf(seed);
  const ended = Array.from({ length: 40 }, (_, index) =>
    run({
      run_id: `run-${index}`,
      due_at: new Date(BEGIN + index * 900_000).toISOString(),
      lateness_ms: whole(2) === 0 ? 0 : whole(300_000),
      duration_ms: 1 + whole(7_200_000),
      state: whole(4) === 0 ? "failed" : "succeeded",
    }),
  );
  const waits = run({ run_id: "waits", due_at: new Date(BEGIN + 40 * 900_000).toISOString(), lateness_ms: null, duration_ms: null });
  return [waits, ...ended.reverse()];
}

const shown = (seed: number) => {
  const items = runsOf(seed);
  const page = show(<JobTimes jobId={JOB} />, { [`GET /v1/jobs/${JOB}/runs`]: { items, next_cursor: null } });
  return { ...page, items: items.filter(({ duration_ms: ms }) => ms !== null) };
};

/** Reads back where a mark is drawn. */
function placeOf(mark: Element): { x: number; y: number } {
  if (mark.tagName === "circle") return { x: Number(mark.getAttribute("cx")), y: Number(mark.getAttribute("cy")) };
  const [, x, y] = /^M(-?[\d.]+),(-?[\d.]+)/.exec(mark.getAttribute("d") ?? "") ?? [];
  return { x: Number(x) + 4, y: Number(y) + 4 };
}

describe("the charts of a job", () => {
  it.each([
    ["Duration", "duration_ms"],
    ["Lateness", "lateness_ms"],
  ] as const)("draw %s of each run where the answer says, and list it", async (name, field) => {
    const { items } = shown(7);
    const drawing = await screen.findByRole("img", { name: new RegExp(`^${name} of 40 runs`) });
    const marks = [...drawing.querySelectorAll("[data-run]")];
    const table = screen.getByRole("table", { name: `${name} of each run, the latest first` });
    const listed = within(table).getAllByRole("row").slice(1).map((row) => row.querySelector("td:last-child")?.textContent);
    const most = Math.max(...items.map((each) => each[field] ?? 0));
    const heights = marks.map((mark) => HEIGHT - placeOf(mark).y);
    const byRun = new Map(items.map((each) => [each.run_id, each]));
    const scale = Math.max(...heights) / most;

    expect(listed).toEqual(items.map((each) => each[field]?.toLocaleString("en")));
    expect(marks.map((mark) => mark.getAttribute("data-run"))).toEqual(items.map((each) => each.run_id).reverse());
    for (const [index, mark] of marks.entries()) {
      const answered = byRun.get(mark.getAttribute("data-run") ?? "");
      expect(heights[index]).toBeCloseTo((answered?.[field] ?? 0) * scale, 3);
      expect(placeOf(mark).x).toBeCloseTo((index / 39) * WIDTH, 3);
      expect(mark.tagName).toBe(answered?.state === "succeeded" ? "circle" : "path");
    }
  });

  it("name their lines by what a run of that height took", () => {
    const { lines, points, top } = chartOf([
      { runId: "a", at: 0, ms: 0, isGood: true },
      { runId: "b", at: 10, ms: 61_000, isGood: true },
    ]);

    expect(lines.map(({ ms, y }) => ms - ((HEIGHT - y) / HEIGHT) * top)).toEqual(lines.map(() => 0));
    expect([points[0]?.y, (points[1]?.y ?? -1) >= 0, top >= 61_000]).toEqual([HEIGHT, true, true]);
  });

  it("say half of the runs are at most the middle", () => {
    const measures = [5, 1, 4, 2].map((ms, at) => ({ runId: String(at), at, ms, isGood: true }));

    expect([middleOf([]), middleOf(measures), middleOf(measures.slice(0, 3))]).toEqual([null, 2, 4]);
  });

  it("are accessible, and say so where nothing has been measured", async () => {
    const { container } = shown(1);
    await screen.findAllByRole("img");
    await expectAccessible(container);
    show(<JobTimes jobId="empty" />, { "GET /v1/jobs/empty/runs": { items: [], next_cursor: null } });

    expect((await screen.findAllByText("No run has been measured yet.")).length).toBe(2);
  });
});
