import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import { OverviewPage } from "../../../src/pages/overview/OverviewPage";
import { EDITOR, show } from "../../support/page";
import { wholeOf } from "../../support/random";
import { example } from "../job_form/samples";

const WEEK = 7 * 1_440;
const FROM = "2026-11-21T07:30:00.000Z";
const OVERVIEW = example("get", "/v1/overview");
const ADMIN = { scopes: [...EDITOR, "timegate/admin"] };

function forecast(seed: number) {
  const whole = wholeOf(seed);
  const queue = (name: string) => ({
    queue: name,
    is_pool: false,
    minutes: Array.from({ length: WEEK }, () => (whole(3) === 0 ? whole(2_000) : 0)),
    busiest: [],
  });
  const sample = example("get", "/v1/forecast") as object;
  return { ...sample, from: FROM, queues: [queue("normal-short"), queue("high-long")] };
}

/** Sums of the answer by the hours of the reader's clock, in the order of time. */
function hoursOf({ queues }: ReturnType<typeof forecast>): { runs: number; busiest: number }[] {
  const hours = new Map<string, { runs: number; busiest: number }>();
  for (let minute = 0; minute < WEEK; minute += 1) {
    const at = new Date(Date.parse(FROM) + minute * 60_000);
    const key = `${at.getFullYear()} ${at.getMonth()} ${at.getDate()} ${at.getHours()}`;
    const runs = (queues[0]?.minutes[minute] ?? 0) + (queues[1]?.minutes[minute] ?? 0);
    const hour = hours.get(key) ?? { runs: 0, busiest: 0 };
    hours.set(key, { runs: hour.runs + runs, busiest: Math.max(hour.busiest, runs) });
  }
  return [...hours.values()];
}

it.each([1, 2, 3])("each hour of the heat map has the runs of its minutes (%i)", async (seed) => {
  const answer = forecast(seed);
  const { container } = show(<OverviewPage />, { "GET /v1/overview": OVERVIEW, "GET /v1/forecast": answer });
  await screen.findByLabelText("Runs due by day and hour");
  const titles = [...container.querySelectorAll(".tg-heat td:not(.tg-heat-none)")].map((cell) => cell.getAttribute("title"));

  expect(titles).toEqual(
    hoursOf(answer).map(
      ({ runs, busiest }) => `${runs.toLocaleString("en")} runs, ${busiest.toLocaleString("en")} in the busiest minute`,
    ),
  );
});

it.each([1, 2])("each lane of the stage has the numbers of its series (%i)", async (seed) => {
  const whole = wholeOf(seed);
  const series = () => Array.from({ length: 12 }, () => (whole(3) === 0 ? null : whole(90_000)));
  const lanes = ["critical-short", "low-long"].map((lane) => ({
    lane,
    start_lag_ms: { p50: series(), p99: series() },
    ended: { succeeded: series(), failed: series() },
    waiting: series(),
    oldest_seconds: series(),
  }));
  const stage = { ...(example("get", "/v1/stage/overview") as object), lanes };
  const answers = { "GET /v1/overview": OVERVIEW, "GET /v1/forecast": forecast(seed), "GET /v1/stage/overview": stage, "GET /v1/health": example("get", "/v1/health") };
  show(<OverviewPage />, answers, ADMIN);
  const shown = await Promise.all(
    lanes.map(async ({ lane }) => {
      const row = (await screen.findByText(lane)).closest("tr");
      return within(row as HTMLElement).getAllByRole("cell").map(({ textContent }) => textContent);
    }),
  );
  const known = (each: (number | null)[]): number[] => each.filter((value) => value !== null);
  const write = (value: number): string => value.toLocaleString("en");

  expect(shown).toEqual(
    lanes.map(({ start_lag_ms: lag, ended, waiting, oldest_seconds: age }) => [
      write(Math.max(...known(lag.p50))),
      write(Math.max(...known(lag.p99))),
      write(known(ended.succeeded).reduce((sum, each) => sum + each, 0)),
      write(known(ended.failed).reduce((sum, each) => sum + each, 0)),
      write(known(waiting).at(-1) ?? -1),
      write(known(age).at(-1) ?? -1),
    ]),
  );
});
