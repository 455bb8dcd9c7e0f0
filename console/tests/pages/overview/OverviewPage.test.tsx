import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { OverviewPage } from "../../../src/pages/overview/OverviewPage";
import { failedRun } from "../../support/answers";
import { refusal, seriousViolations, show } from "../../support/page";
import { HOSTILE } from "../../support/samples";
import { example } from "../job_form/samples";

const OVERVIEW = example("get", "/v1/overview");
const ANSWERS = { "GET /v1/overview": OVERVIEW, "GET /v1/forecast": example("get", "/v1/forecast") };

const figure = (title: string): string => screen.getByText(title).nextElementSibling?.textContent ?? "";

describe("the overview", () => {
  it("shows the numbers that the API counted", async () => {
    const { container } = show(<OverviewPage />, ANSWERS);
    await screen.findByText("Failed runs, last 24 hours");
    await screen.findByText(/1 of 1 jobs have runs/);

    expect(figure("Failed runs, last 24 hours")).toBe("1");
    expect(figure("Dead letters")).toBe("1");
    expect(figure("Jobs that failures paused")).toBe("0");
    expect(figure("Freezes in force")).toBe("1");
    expect(figure("Jobs that may run")).toBe("1");
    expect(screen.getByText("The target answered 503: busy")).toBeTruthy();
    expect(screen.getByText("Database migration")).toBeTruthy();
    expect(await seriousViolations(container)).toEqual([]);
  });

  it("shows as many runs in its hours as the forecast has in its minutes", async () => {
    const { container } = show(<OverviewPage />, ANSWERS);
    await screen.findByText(/1 of 1 jobs have runs/);
    const hours = [...container.querySelectorAll(".tg-heat td")].map((cell) => Number(cell.textContent));

    expect(hours.reduce((sum, runs) => sum + runs, 0)).toBe(1_440);
  });

  it("lists what is late now, and says which runs it cannot have", async () => {
    const late = failedRun({ job_name: HOSTILE, state: "waiting", explanation: "It waits for its turn." });
    const page = { items: [late], next_cursor: null, complete: false, left_out: "runs of jobs that list no runs" };
    const { asked } = show(<OverviewPage />, { ...ANSWERS, "GET /v1/runs": page });
    const table = within(await screen.findByRole("table", { name: "Runs that are late now" }));
    const query = asked.find(({ path }) => path === "/v1/runs")?.query;

    expect(table.getByText("It waits for its turn.")).toBeTruthy();
    expect(table.getByRole("link", { name: HOSTILE }).getAttribute("href")).toBe(`/runs/${late.run_id}`);
    expect(screen.getByText("Not listed: runs of jobs that list no runs")).toBeTruthy();
    expect(query?.getAll("state")).toEqual(["waiting", "queued"]);
    expect([query?.get("which"), query?.get("late_seconds"), query?.get("limit")]).toEqual(["all", "60", "5"]);
  });

  it("does not call a page without a late run the end of them", async () => {
    const page = { items: [], next_cursor: "more", complete: true, left_out: null };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/runs": page });

    expect(await screen.findByText(/None among the runs that were read/)).toBeTruthy();
    expect(screen.queryByText("No run that is listed is late.")).toBeNull();
  });

  it("says that no run is late once all were read, and quotes the request as it was made", async () => {
    const page = { items: [], next_cursor: null, complete: true, left_out: null };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/runs": page });

    expect(await screen.findByText("No run that is listed is late.")).toBeTruthy();
    expect(screen.getByText(/^GET \/v1\/overview[^]*late_seconds=60&limit=5&from=A_DAY_AGO/)).toBeTruthy();
  });

  it("does not call a forecast of the newest jobs one of all", async () => {
    const forecast = { ...example("get", "/v1/forecast"), queues: [], next_cursor: "more" };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/forecast": forecast });

    expect(await screen.findByText(/No run of the newest jobs falls due/)).toBeTruthy();
  });

  it("names a freeze of a tag without a value by its name alone", async () => {
    const { freezes } = OVERVIEW as { freezes: object[] };
    const freeze = { ...freezes[0], scope: { kind: "tag", key: "team", value: null } };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/overview": { ...OVERVIEW, freezes: [freeze] } });

    expect(await screen.findByText("tag team")).toBeTruthy();
  });

  it("says that a count is not of all", async () => {
    const letters = { count: 100, is_partial: true };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/overview": { ...OVERVIEW, dead_letters: letters } });
    await screen.findByText("Dead letters");

    expect(figure("Dead letters")).toBe("100+");
  });

  it("shows hostile texts as texts", async () => {
    const { freezes } = OVERVIEW as { freezes: object[] };
    const paused = { job_id: "j1", name: HOSTILE, at: "2026-11-21T06:00:00Z", failures: 3, run_id: "r1" };
    const hostile = { ...OVERVIEW, paused_jobs: [paused], freezes: [{ ...freezes[0], reason: HOSTILE }] };
    const { container } = show(<OverviewPage />, { ...ANSWERS, "GET /v1/overview": hostile });

    expect((await screen.findAllByText(HOSTILE)).length).toBe(2);
    expect(container.querySelector("img[src=x]")).toBeNull();
  });

  it("teaches the first step where no job may run", async () => {
    const usage = { jobs: 0, dags: 0, runs_per_day: null };
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/overview": { ...OVERVIEW, usage } });

    expect(await screen.findByText("No job may run yet.")).toBeTruthy();
  });

  it("shows the rest while one answer is refused", async () => {
    show(<OverviewPage />, { ...ANSWERS, "GET /v1/forecast": () => refusal(429, "rate_exceeded") });

    expect(await screen.findByText("It was refused: rate_exceeded.")).toBeTruthy();
    expect(await screen.findByText("Failed runs, last 24 hours")).toBeTruthy();
  });
});
