import { render, screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { localTime, type Schemas } from "../../../src/kit";
import { Gantt } from "../../../src/pages/dag_runs/Gantt";
import { WhereTheTimeWent } from "../../../src/pages/runs/waterfall/Waterfall";
import { QuotaBars } from "../../../src/pages/tenants/QuotaBars";
import { writeDuration } from "../../../src/pages/timeAxis";
import { attempt, DAG_RUN_ID, dagRun, GANTT, OWN_TENANT } from "../../support/answers";
import { show } from "../../support/page";
import { wholeOf } from "../../support/random";

const DUE = Date.parse("2026-11-21T07:01:00.000Z");
const STAGES = ["planned", "published", "received", "claimed", "started", "ended"] as const;

/** Where a bar is drawn, in percent of its axis. */
function placeOf(bar: Element): [number, number] {
  const { insetInlineStart, inlineSize } = (bar as HTMLElement).style;
  return [Number.parseFloat(insetInlineStart), Number.parseFloat(inlineSize.replace("max(", ""))];
}

it.each([1, 2, 3, 4])("the waterfall's bars and table are the attempt's instants (%i)", (seed) => {
  const whole = wholeOf(seed);
  const offsets: number[] = [];
  for (const stage of STAGES) offsets.push(stage === "planned" ? 0 : (offsets.at(-1) ?? 0) + whole(60_000));
  const at = (offset = 0): string => new Date(DUE + offset).toISOString();
  const timeline = Object.fromEntries(STAGES.map((stage, index) => [`${stage}_at`, at(offsets[index])]));
  const shown = render(
    <WhereTheTimeWent attempt={attempt({ due_at: at(), timeline: timeline as Schemas["Attempt"]["timeline"] })} now={DUE + 1e9} />,
  );
  const rows = within(screen.getByRole("list")).getAllByRole("listitem");
  const end = offsets.at(-1) ?? 1;
  const stretches = offsets.slice(1).map((offset, index) => ({ begins: offsets[index] ?? 0, ends: offset }));
  const sinceDue = within(screen.getByRole("table")).getAllByRole("row").slice(1).map((row) => row.querySelector("td:last-child")?.textContent);

  expect(rows).toHaveLength(stretches.length);
  for (const [index, { begins, ends }] of stretches.entries()) {
    const [left, width] = placeOf(rows[index]?.querySelector(".tg-bar") ?? shown.container);
    expect(left).toBeCloseTo((begins / end) * 100, 3);
    expect(width).toBeCloseTo(((ends - begins) / end) * 100, 3);
    expect(rows[index]?.querySelector(".tg-waterfall-length")?.textContent).toBe(writeDuration(ends - begins));
  }
  expect(sinceDue).toEqual(offsets.map((offset) => `+${writeDuration(offset)}`));
});

it.each([1, 2, 3])("the Gantt chart's bars are the spans of the answer (%i)", async (seed) => {
  const whole = wholeOf(seed);
  const length = 600_000;
  const at = (offset: number): string => new Date(DUE + offset).toISOString();
  const rows = GANTT.rows.map((row, index) => {
    const [begins, works, ends] = [whole(300_000), 300_000 + whole(100_000), 400_000 + whole(200_000)];
    const span = { round: 1, attempt: 1, runs: 1, state: null };
    return {
      ...row,
      spans: [
        { ...span, kind: "queued" as const, begins_at: at(begins), ends_at: at(works) },
        { ...span, kind: "running" as const, begins_at: at(works), ends_at: index === 0 ? null : at(ends) },
      ],
    };
  });
  const chart = { ...GANTT, begins_at: at(0), ends_at: at(length), rows };
  show(<Gantt run={dagRun()} selected={null} onSelect={() => undefined} />, { [`GET /v1/dag-runs/${DAG_RUN_ID}/gantt`]: chart });
  const drawn = await screen.findAllByRole("button");
  const places = drawn.map((row) => [...row.querySelectorAll(".tg-span")].map(placeOf));

  expect(drawn.map((row) => row.querySelector(".tg-gantt-title")?.textContent)).toEqual(rows.map(({ title }) => title));
  for (const [index, row] of rows.entries()) {
    for (const [number, { begins_at: begins, ends_at: ends }] of row.spans.entries()) {
      const [left, width] = places[index]?.[number] ?? [];
      const until = ends === null ? length : Date.parse(ends) - DUE;
      expect(left).toBeCloseTo(((Date.parse(begins) - DUE) / length) * 100, 3);
      expect(width).toBeCloseTo(((until - (Date.parse(begins) - DUE)) / length) * 100, 3);
      expect(drawn[index]?.textContent).toContain(ends === null ? `${localTime(begins, true)} on` : `${localTime(begins, true)} to ${localTime(ends, true)}`);
    }
  }
});

it.each([1, 2, 3])("use and quotas are those of the answer (%i)", (seed) => {
  const whole = wholeOf(seed);
  const quotas = { ...OWN_TENANT.effective_quotas, jobs: 1 + whole(9_999), dags: 1 + whole(99), runs_per_day: 1 + whole(99_999) };
  const usage = { jobs: whole(quotas.jobs), dags: whole(quotas.dags), runs_per_day: whole(quotas.runs_per_day) };
  render(<QuotaBars quotas={quotas} usage={usage} />);
  const bars = screen.getAllByRole("progressbar");
  const counted = (["jobs", "dags", "runs_per_day"] as const).map((name) => [usage[name], quotas[name]] as const);

  expect(bars.map((bar) => Number(bar.getAttribute("value")))).toEqual(
    counted.map(([used, most]) => expect.closeTo((used / most) * 100, 0) as number),
  );
  for (const [used, most] of counted) {
    expect(screen.getByText(`${used.toLocaleString("en")} of ${most.toLocaleString("en")}`)).toBeTruthy();
  }
});
