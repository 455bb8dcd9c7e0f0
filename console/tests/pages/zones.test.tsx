import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import DagRunPage from "../../src/pages/dag_runs/DagRunPage";
import { Versions } from "../../src/pages/dags/Versions";
import JobTimes from "../../src/pages/job_times/JobTimes";
import { JobPage } from "../../src/pages/jobs/JobPage";
import { subjectWords } from "../../src/pages/operations/operationWords";
import { Outcome } from "../../src/pages/what_if/Outcome";
import { DAG_ID, DAG_RUN_GRAPH, DAG_RUN_ID, dag, dagRun, GANTT, JOB_ID, OPERATION } from "../support/answers";
import { show } from "../support/page";
import { job } from "../support/samples";

/** The last minute of a day in UTC, which is on the next day for a reader in Berlin. */
const AT = "2026-11-20T23:59:00.000Z";
const LOCAL = "2026-11-21 00:59";

vi.mock("../../src/pages/dags/layout", () => ({ layOut: () => Promise.resolve(new Map()) }));

beforeEach(() => {
  vi.stubEnv("TZ", "Europe/Berlin");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const textOf = (container: Element): string => container.textContent;

it("says when a job was changed on the reader's day", async () => {
  const id = job().job_id;
  const answers = { [`GET /v1/jobs/${id}`]: job({ updated_at: AT }) };
  const { container } = show(<JobPage />, answers, { path: `/jobs/${id}`, route: "/jobs/:jobId" });
  await screen.findAllByText("send the report");

  expect(textOf(container)).toContain(`1, changed ${LOCAL}`);
});

it("says when a version of a DAG was made in the reader's zone", async () => {
  const known = dag({ updated_at: AT });
  const answers = { [`GET /v1/dags/${DAG_ID}/versions`]: { items: [known], next_cursor: null } };
  const { container } = show(<Versions current={known} version={known.version} />, answers);
  await userEvent.click(screen.getByRole("button", { name: /Version/ }));

  expect(textOf(container)).toContain(LOCAL);
  expect(textOf(container)).not.toContain("2026-11-20");
});

it("counts bars of a DAG run from an instant in the reader's zone", async () => {
  const path = `/v1/dag-runs/${DAG_RUN_ID}`;
  const answers = { [`GET ${path}`]: dagRun(), [`GET ${path}/graph`]: DAG_RUN_GRAPH, [`GET ${path}/gantt`]: { ...GANTT, begins_at: AT } };
  show(<DagRunPage />, answers, { path: `/dag-runs/${DAG_RUN_ID}?view=gantt`, route: "/dag-runs/:dag_run_id" });
  const said = await screen.findByText(/Times count from/);

  expect(said.textContent).toContain(LOCAL);
});

it("draws times of a job in the reader's zone", async () => {
  const run = { run_id: `${JOB_ID}.s1`, due_at: AT, duration_ms: 40, lateness_ms: 2, state: "succeeded" };
  const answers = { [`GET /v1/jobs/${JOB_ID}/runs`]: { items: [run], next_cursor: null } };
  const { container } = show(<JobTimes jobId={JOB_ID} />, answers);
  await screen.findAllByText(/at most 40 ms/);

  expect([...container.querySelectorAll("svg text")].map(({ textContent }) => textContent)).toContain(LOCAL);
  expect(container.querySelector("svg title")?.textContent).toMatch(new RegExp(`^${LOCAL}`));
});

it("names the span of an operation in the reader's zone, and other words as they are", () => {
  const parameters = { job_id: JOB_ID, from: AT, to: AT, reprocess: "none", max_concurrent: 1 } as typeof OPERATION.parameters;
  const named = { filter: { name: "2026-11-20*" } } as unknown as typeof OPERATION.parameters;

  expect(subjectWords({ parameters })).toBe(`job ${JOB_ID}, ${LOCAL}:00 to ${LOCAL}:00`);
  expect(subjectWords({ parameters: named })).toBe("name 2026-11-20*");
});

it("says in the reader's zone to which instant a scenario moves another", () => {
  const summary = { instants: 1, runs: 0, failed: 0, skipped: {}, cancelled: {}, notices: {}, undecided: 0, max_lateness_ms: 0, missed_deadlines: 0 };
  const gap = { type: "gap", first: AT, last: AT, count: 1, state: "skipped", reason: "rolled", rolled_to: AT };
  const simulation = { summary, refused: [], notices: [], rows: [gap] };
  const before = { ...simulation, rows: [] };
  type Simulated = Parameters<typeof Outcome>[0]["after"];
  const { container } = show(<Outcome before={before as unknown as Simulated} after={simulation as unknown as Simulated} />, {});

  expect(textOf(container)).toContain(`moved to ${LOCAL}:00`);
});
