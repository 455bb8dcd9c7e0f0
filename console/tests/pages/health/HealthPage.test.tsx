import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { Schemas } from "../../../src/kit";
import HealthPage from "../../../src/pages/health/HealthPage";
import { HOSTILE } from "../../support/answers";
import { ADMIN, expectAccessible, expectOnlyText, renderPage, VIEWER } from "../../support/renderPage";

const AT = "2026-11-21T07:00:00.000Z";
const HEALTH: Schemas["Health"] = {
  at: AT,
  status: "unhealthy",
  problems: [
    {
      code: "planner_behind",
      status: "unhealthy",
      detail: `The planner is 600 s behind ${HOSTILE}`,
      remedy: "Look at its log.",
      runbook: "docs/operations/runbooks.md#planner-silence",
    },
  ],
  shards: {
    open: 4,
    in_use: 2,
    planner_lag_seconds: 600,
    sweeper_lag_seconds: null,
    behind: 1,
    worst: [{ shard: 3, planner_lag_seconds: 600, sweeper_lag_seconds: null, audited_at: null }],
  },
  audit: {
    last_at: AT,
    oldest_at: AT,
    round_began_at: AT,
    instants: 1_234,
    found_at: AT,
    unaccounted: 2,
    lost: 1,
  },
  lanes: null,
  alarms: [{ name: "planner-silent", since: AT }],
};
const STAGE: Schemas["StageOverview"] = {
  at: AT,
  spans: [AT],
  lanes: [],
  alarms: [{ name: "planner-silent", meaning: "No tick came. First: timegate doctor", since: AT }],
};

test("the administration sees what is wrong, what was looked at, and alarms with their meaning", async () => {
  const page = renderPage({
    Page: HealthPage,
    route: "/health",
    url: "/health",
    answers: { "GET /v1/health": HEALTH, "GET /v1/stage/overview": STAGE },
    scopes: ADMIN,
  });
  const shards = await screen.findByRole("table", { name: "Latest shards" });

  expect(within(shards).getByText("600")).toBeTruthy();
  expect(screen.getByText(/The planner is 600 s behind/)).toBeTruthy();
  expect(screen.getByText("1,234")).toBeTruthy();
  expect(screen.getByText(/2 instants and 1 records/)).toBeTruthy();
  expect(await screen.findByText(/No tick came\. First: timegate doctor/)).toBeTruthy();
  // One read serves the verdict and its facts.
  expect(page.asked.map(({ path }) => path).sort()).toEqual(["/v1/health", "/v1/stage/overview"]);
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a tenant's reader sends no request, and is led to her own overview", async () => {
  const page = renderPage({ Page: HealthPage, route: "/health", url: "/health", answers: {}, scopes: VIEWER });

  expect(await screen.findByText(/administration alone sees this page/)).toBeTruthy();
  expect(page.asked).toEqual([]);
});
