import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import CostsPage from "../../../src/pages/costs/CostsPage";
import { isCounted, monthsUntil, partsOf, writeUsd } from "../../../src/pages/costs/costWords";
import { costReport, costs, JOB_ID } from "../../support/answers";
import { refusal } from "../../support/page";
import { ADMIN, expectAccessible, expectOnlyText, renderPage, VIEWER } from "../../support/renderPage";

const BOTH = [...ADMIN, "timegate/write"];

function open(url: string, answers: object, scopes: readonly string[] = VIEWER) {
  return renderPage({ Page: CostsPage, route: "/costs", url, answers: { ...answers }, scopes });
}

/** Cells of the rows beneath the heading. */
function rowsOf(table: HTMLElement): string[][] {
  return within(table)
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("td, tbody th")].map((cell) => cell.textContent.trim()))
    .filter((cells) => cells.length > 0);
}

test("a tenant's month is shown by job, in parts whose sum is the whole", async () => {
  const page = open("/costs?month=2026-11", { "GET /v1/cost": costReport() });
  const table = await screen.findByRole("table", { name: "Costs by job" });
  const rows = rowsOf(table);

  expect(rows.map(([, usd, runs]) => [usd, runs])).toEqual([
    ["0.40 (80 %)", "40,000"],
    ["0.05 (10 %)", "3,000"],
    ["0.03 (6 %)", "910"],
    ["0.02 (4 %)", "200"],
  ]);
  expect(rows[3]?.[0]).toBe("Other jobs (5)");
  expect(table.querySelector(`a[href="/jobs/${JOB_ID}"]`)).toBeTruthy();
  expect(table.querySelector('a[href^="/jobs/zzz"]')).toBeNull();
  expect(page.asked[0]?.query.toString()).toBe("month=2026-11");
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("up to when runs are counted, and how exactly, is said", async () => {
  open("/costs?month=2026-11", { "GET /v1/cost": costReport() });

  expect((await screen.findAllByText(/Counted up to/)).length).toBeGreaterThan(0);
  expect(screen.getByText(/an hour to three days late.*within 2 %/)).toBeTruthy();
});

test("a month before the first count says that nothing is counted", async () => {
  const empty = costReport({ metered_until: null, whole: costs(0, 0), one_shots: costs(0, 0), jobs: [], other_jobs: 0 });
  open("/costs", { "GET /v1/cost": empty });

  expect(await screen.findByText("Nothing is counted yet")).toBeTruthy();
  expect(screen.getByText("No run of this month has been counted.")).toBeTruthy();
});

test("more jobs are read where there are more, as many as the API shows", async () => {
  const user = userEvent.setup();
  const page = open("/costs?month=2026-11", { "GET /v1/cost": costReport() });
  await user.click(await screen.findByRole("button", { name: "Show more jobs" }));
  await screen.findByRole("table", { name: "Costs by job" });

  expect(page.asked.at(-1)?.query.get("limit")).toBe("100");
  expect(screen.queryByRole("button", { name: "Show more jobs" })).toBeNull();
});

test("one job is shown alone, and its row is all of the table", async () => {
  const one = costReport({ jobs: costReport().jobs.slice(0, 1) });
  const page = open(`/costs?month=2026-11&job_id=${JOB_ID}`, { "GET /v1/cost": one });
  const table = await screen.findByRole("table", { name: "Costs by job" });

  expect(rowsOf(table)).toHaveLength(1);
  expect(page.asked[0]?.query.get("job_id")).toBe(JOB_ID);
  expect(screen.getByRole("link", { name: "All jobs of the month" })).toBeTruthy();
});

test("one job of another tenant leads to that tenant's month", async () => {
  const answers = { "GET /v1/tenants/red/cost": costReport({ jobs: costReport().jobs.slice(0, 1) }) };
  open(`/costs?month=2026-11&tenant=red&job_id=${JOB_ID}`, answers, BOTH);
  const link = await screen.findByRole("link", { name: "All jobs of the month" });

  expect(link.getAttribute("href")).toBe("/costs?month=2026-11&tenant=red");
});

test("the stage's administration compares tenants, the dearest first, and opens one", async () => {
  const user = userEvent.setup();
  const of = (tenant: string, usd: number) => ({
    tenant,
    whole: costs(usd, 100),
    one_shots: costs(0, 0),
    dag_tasks: costs(0.01, 10),
  });
  const stage = { month: "2026-11", metered_until: null, items: [of("acme", 0.1), of("red", 0.3)], next_cursor: null };
  const page = open("/costs?month=2026-11", { "GET /v1/stage/cost": stage, "GET /v1/cost": costReport() }, BOTH);
  await user.click(await screen.findByText("All tenants"));
  const table = await screen.findByRole("table", { name: "Costs by tenant" });

  expect(rowsOf(table).map(([tenant, usd]) => [tenant, usd])).toEqual([
    ["red", "0.30 (75 %)"],
    ["acme", "0.10 (25 %)"],
  ]);
  expect(screen.getByText(/Together 0.40 US dollars/)).toBeTruthy();
  expect(within(table).getByRole("link", { name: "red" }).getAttribute("href")).toBe("/costs?month=2026-11&tenant=red");
  await expectAccessible(page.container);
});

test("pages of tenants stay in their order until all are read", async () => {
  const of = (tenant: string, usd: number) => ({ tenant, whole: costs(usd, 1), one_shots: costs(0, 0), dag_tasks: costs(0, 0) });
  const first = { month: "2026-11", metered_until: null, items: [of("acme", 0.1), of("red", 0.3)], next_cursor: "more" };
  open("/costs?of=stage", { "GET /v1/stage/cost": first }, BOTH);
  const table = await screen.findByRole("table", { name: "Costs by tenant" });
  await within(table).findByRole("link", { name: "red" });

  expect(rowsOf(table).map(([tenant]) => tenant)).toEqual(["acme", "red"]);
  expect(screen.getByText(/By name: read on/)).toBeTruthy();
});

test("another tenant's month is read by the administration, without links to its jobs", async () => {
  const page = open("/costs?tenant=red&month=2026-11", { "GET /v1/tenants/red/cost": costReport() }, BOTH);
  const table = await screen.findByRole("table", { name: "Costs by job" });

  expect(page.asked.map(({ path }) => path)).toEqual(["/v1/tenants/red/cost"]);
  expect(table.querySelector("a")).toBeNull();
});

test("a tenant's reader sees her own costs, whatever the address names", async () => {
  const page = open("/costs?tenant=red&of=stage", { "GET /v1/cost": costReport() });
  await screen.findByRole("table", { name: "Costs by job" });

  expect(page.asked.map(({ path }) => path)).toEqual(["/v1/cost"]);
  expect(screen.getByText(/administration alone sees costs of red/)).toBeTruthy();
  expect(screen.queryByText("All tenants")).toBeNull();
});

test("a refusal is shown with its request id", async () => {
  open("/costs", { "GET /v1/cost": () => refusal(429, "rate_limited") });

  expect(await screen.findByText(/rate_limited · request r-1/)).toBeTruthy();
});

test.each([
  [0, "0.00"],
  [0.009999, "0.009999"],
  [0.01, "0.01"],
  [1234.5, "1,234.50"],
])("%d US dollars are written as %s", (usd, text) => {
  expect(writeUsd(usd)).toBe(text);
});

test.each([
  ["2026-11", null, false],
  ["2026-11", "2026-11-30T23:59:59Z", false],
  ["2026-11", "2026-12-01T00:00:00Z", true],
  ["2026-12", "2027-01-01T00:00:00Z", true],
])("the month %s is counted by %s: %s", (month, until, counted) => {
  expect(isCounted(month, until)).toBe(counted);
});

test("months are those of UTC, the present one first, over the turn of a year", () => {
  const months = monthsUntil(Date.parse("2027-01-31T23:59:59Z"));

  expect(months.slice(0, 3)).toEqual(["2027-01", "2026-12", "2026-11"]);
  expect(months.at(-1)).toBe("2026-01");
});

test.each([
  ["2027-02-04T23:59:59Z", "2026-01"],
  ["2027-02-05T00:00:00Z", "2026-02"],
])("at %s the oldest month on record is %s: counts are kept for 400 days from its beginning", (now, oldest) => {
  expect(monthsUntil(Date.parse(now)).at(-1)).toBe(oldest);
});

test("a month whose counts are no longer on record is not said to be counted in full", async () => {
  const empty = costReport({ month: "2020-01", metered_until: "2026-11-20T00:00:00Z", whole: costs(0, 0), jobs: [], other_jobs: 0 });
  open("/costs?month=2020-01", { "GET /v1/cost": empty });

  expect((await screen.findAllByText(/no longer on record/)).length).toBeGreaterThan(0);
  expect(screen.queryByText("The month is counted in full")).toBeNull();
});

test("jobs that were not compared are said to be more", () => {
  const parts = partsOf(costReport({ other_jobs: 0, is_complete: false }), false);

  expect(parts.at(-1)?.name).toBe("Other jobs (0 or more)");
});
