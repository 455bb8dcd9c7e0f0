import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { OverviewPage } from "../../../src/pages/overview/OverviewPage";
import { latest, SILENT, sum, worst } from "../../../src/pages/overview/series";
import { EDITOR, refusal, seriousViolations, show } from "../../support/page";
import { HOSTILE } from "../../support/samples";
import { example } from "../job_form/samples";

const SILENCE = Array.from({ length: 12 }, () => null);
const LANE = {
  lane: "critical-short",
  start_lag_ms: { p50: SILENCE, p99: [...SILENCE.slice(2), 1_812.4, 90] },
  ended: { succeeded: [...SILENCE.slice(2), 1_000, 234], failed: SILENCE },
  waiting: [...SILENCE.slice(1), 7],
  oldest_seconds: SILENCE,
};
const STAGE = { ...(example("get", "/v1/stage/overview") as object), lanes: [LANE] };
const ANSWERS = {
  "GET /v1/overview": example("get", "/v1/overview"),
  "GET /v1/forecast": example("get", "/v1/forecast"),
  "GET /v1/stage/overview": STAGE,
  "GET /v1/health": example("get", "/v1/health"),
};
const ADMIN = { scopes: [...EDITOR, "timegate/admin"] };

describe("the stage on the overview", () => {
  it("shows lanes to its administration", async () => {
    const { container } = show(<OverviewPage />, ANSWERS, ADMIN);
    const row = (await screen.findByText("critical-short")).closest("tr");
    const cells = within(row as HTMLElement).getAllByRole("cell");

    expect(cells.map((cell) => cell.textContent)).toEqual([SILENT, "1,812", "1,234", SILENT, "7", SILENT]);
    expect(screen.getByText("No alarm of the stage is on.")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("asks for nothing of the stage on behalf of a tenant", async () => {
    const { asked } = show(<OverviewPage />, ANSWERS);
    await screen.findByText("Failed runs, last 24 hours");

    expect(asked.filter(({ path }) => path.startsWith("/v1/stage"))).toEqual([]);
  });

  it("shows alarms, and their texts as texts", async () => {
    const alarms = [{ name: "relay-errors", meaning: HOSTILE, since: "2026-11-21T06:00:00Z" }];
    const { container } = show(<OverviewPage />, { ...ANSWERS, "GET /v1/stage/overview": { ...STAGE, alarms } }, ADMIN);

    expect(await screen.findByText("relay-errors")).toBeTruthy();
    expect(screen.getByText(HOSTILE)).toBeTruthy();
    expect(container.querySelector("img[src=x]")).toBeNull();
  });

  it("shows the tenant while the stage does not answer", async () => {
    const silent = { ...ANSWERS, "GET /v1/stage/overview": () => refusal(503, "throttled") };
    show(<OverviewPage />, silent, ADMIN);

    expect(await screen.findByText("It was refused: throttled.")).toBeTruthy();
    expect(await screen.findByText("Failed runs, last 24 hours")).toBeTruthy();
  });
});

describe("a series", () => {
  it("is silent where nothing was measured", () => {
    expect([worst(SILENCE), sum(SILENCE), latest(SILENCE)]).toEqual([SILENT, SILENT, SILENT]);
  });

  it("counts zeros as numbers", () => {
    expect([worst([null, 0]), sum([0, null]), latest([3, 0, null])]).toEqual(["0", "0", "0"]);
  });
});
