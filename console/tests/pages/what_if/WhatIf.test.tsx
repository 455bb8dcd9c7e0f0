import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { JobPage } from "../../../src/pages/jobs/JobPage";
import WhatIf from "../../../src/pages/what_if/WhatIf";
import { refusal, seriousViolations, show } from "../../support/page";
import { HOSTILE, job } from "../../support/samples";
import { example } from "../job_form/samples";

const ID = job().job_id;
const SPAN = "from=2026-10-20T00:00:00Z&to=2026-10-28T00:00:00Z";
const AWAY = "outage=planner&outage_from=2026-10-22T12:00:00Z&outage_to=2026-10-25T09:30:00Z";
const OPTIONS = { path: `/jobs/${ID}?tab=what-if&${SPAN}&${AWAY}`, route: `/jobs/${ID}` };

interface Simulation {
  rows: { type: string; scheduled_at?: string; first?: string }[];
  summary: object;
}
const AFTER = example("post", "/v1/simulate") as unknown as Simulation;
const at = (day: number, hour: number) => {
  const instant = `2026-10-${day}T0${hour}:30:00.000Z`;
  return { scheduled_at: instant, planned_at: instant, due_at: instant, started_at: instant, ended_at: instant };
};
/** The same days without the outage: eight runs on time, across a clock change. */
const BEFORE = {
  ...AFTER,
  rows: [20, 21, 22, 23, 24, 25, 26, 27].map((day) => ({ ...AFTER.rows[0], ...at(day, day > 25 ? 1 : 0) })),
  summary: { ...AFTER.summary, runs: 8, skipped: {}, max_lateness_ms: 0 },
};
const answers = {
  "POST /v1/simulate": ({ body }: { body: object }) => ("planner" in body || "edits" in body ? AFTER : BEFORE),
};

const rowsOf = (name: string) =>
  within(screen.getByRole("table", { name }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

describe("what if", () => {
  it("shows the records of the scenario beside those without it", async () => {
    const { container, asked } = show(<WhatIf job={job()} />, answers, OPTIONS);
    await screen.findByText("Records");
    await screen.findByText(/of 9 differ/);
    const sums = new Map(rowsOf("Sums").map(([name, ...values]) => [name, values]));

    expect(sums.get("skipped (missed_window)")).toEqual(["0", "2"]);
    expect(sums.get("Latest start")).toEqual(["0 ms", "9 h"]);
    expect(rowsOf("Records").map(([, ...cells]) => cells)).toEqual([
      ["1", "succeededon time", "No such record"],
      ["2", "No such record", "skipped (missed_window)"],
      ["1", "succeededon time", "No such record"],
      ["1", "succeededon time", "succeeded9 h late"],
    ]);
    const days = { job_id: ID, from: "2026-10-20T00:00:00.000Z", to: "2026-10-28T00:00:00.000Z" };
    const away = { from: "2026-10-22T12:00:00.000Z", to: "2026-10-25T09:30:00.000Z" };

    expect(asked.map(({ body }) => body)).toEqual([days, { ...days, planner: { outages: [away] } }]);
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("shows what people would be told, by the job's channels and by rules", async () => {
    const told = { job: null, type: "late", scheduled_at: null, since: "2026-10-22T00:31:00.000Z", text: HOSTILE };
    const notices = [
      { ...told, at: "2026-10-22T00:31:00.000Z", rule: null },
      { ...told, at: "2026-10-22T00:32:00.000Z", rule: "ops" },
    ];
    const summary = { ...AFTER.summary, failed: 1, notices: { late: 2 } };
    const after = { ...AFTER, notices, summary };
    const heard = { "POST /v1/simulate": ({ body }: { body: object }) => ("planner" in body ? after : BEFORE) };
    show(<WhatIf job={job()} />, heard, OPTIONS);
    await screen.findByText("Notices in this scenario");
    const sums = new Map(rowsOf("Sums").map(([name, ...values]) => [name, values]));

    expect(sums.get("told (late)")).toEqual(["0", "2"]);
    expect(sums.get("Runs that fail")).toEqual(["0", "1"]);
    expect(rowsOf("Notices").map(([, ...cells]) => cells)).toEqual([
      ["the job's channels", HOSTILE],
      ["ops", HOSTILE],
    ]);
  });

  it("shows every record of the answers, once all are wanted", async () => {
    show(<WhatIf job={job()} />, answers, OPTIONS);
    await userEvent.click(await screen.findByLabelText("Show those that stay the same"));

    expect(rowsOf("Records").length).toBe(9);
  });

  it("asks nothing before it is told to, and then what the form says", async () => {
    const { asked } = show(<WhatIf job={job()} />, answers, { ...OPTIONS, path: `/jobs/${ID}?tab=what-if` });
    const edit = screen.getByLabelText("Edit of the schedule");
    const unasked = asked.length;
    await userEvent.type(edit, "2026-12-01T00:00:00Z");
    await userEvent.clear(await screen.findByLabelText("Cron"));
    await userEvent.type(screen.getByLabelText("Cron"), "5 * * * *");
    await userEvent.click(screen.getByText("Simulate"));
    await screen.findByText("Records");
    const { edits } = asked.map(({ body }) => body as { edits?: object[] }).find((body) => "edits" in body) ?? {};

    expect(unasked).toBe(0);
    expect(edits).toEqual([
      { at: "2026-12-01T00:00:00.000Z", schedule: { kind: "cron", cron: "5 * * * *", timezone: "Europe/Berlin" } },
    ]);
  });

  it("says why the API refuses a scenario, with the request", async () => {
    const refused = () => refusal(422, "invalid_request", `No such calendar ${HOSTILE}`);
    const { container } = show(<WhatIf job={job()} />, { "POST /v1/simulate": refused }, OPTIONS);

    expect(await screen.findByText(`No such calendar ${HOSTILE}`)).toBeTruthy();
    expect(container.querySelector("img[src=x]")).toBeNull();
    expect(screen.getByText(/invalid_request · request r-1/)).toBeTruthy();
  });

  it("is a tab of the job's page", async () => {
    show(<JobPage />, { [`GET /v1/jobs/${ID}`]: job(), ...answers }, { ...OPTIONS, route: "/jobs/:jobId" });

    expect(await screen.findByText(/of 9 differ/)).toBeTruthy();
  });
});
