import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { StageHealth } from "../../../src/pages/overview/StageHealth";
import { EDITOR, seriousViolations, show } from "../../support/page";
import { HOSTILE } from "../../support/samples";
import { example } from "../job_form/samples";

const HEALTH = example("get", "/v1/health") as { problems: object[] };
const ADMIN = { scopes: [...EDITOR, "timegate/admin"] };

describe("the health of the stage", () => {
  it("says what is wrong, and what to do first", async () => {
    const { container } = show(<StageHealth />, { "GET /v1/health": HEALTH }, ADMIN);

    expect(await screen.findByText("The stage is unhealthy")).toBeTruthy();
    expect(screen.getByText(/No shard is open/)).toBeTruthy();
    expect(screen.getByText(/Wait two minutes after a first deployment/)).toBeTruthy();
    expect(screen.getByText("docs/operations/runbooks.md#planner-silence")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("says that all is well", async () => {
    const well = { ...HEALTH, status: "healthy", problems: [] };
    show(<StageHealth />, { "GET /v1/health": well }, ADMIN);

    expect(await screen.findByText("The stage is healthy")).toBeTruthy();
  });

  it("shows words of alarms as text", async () => {
    const [problem] = HEALTH.problems;
    const told = { ...HEALTH, status: "degraded", problems: [{ ...problem, detail: HOSTILE }] };
    const { container } = show(<StageHealth />, { "GET /v1/health": told }, ADMIN);

    expect(await screen.findByText(HOSTILE)).toBeTruthy();
    expect(container.querySelector("img[src=x]")).toBeNull();
  });
});
