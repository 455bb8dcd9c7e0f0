import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { zonedTime } from "../../../src/kit";
import ComingFires from "../../../src/pages/jobs/ComingFires";
import WhyNot from "../../../src/pages/ledger/WhyNot";
import { localInstantOf, pastInstantOf } from "../../../src/pages/shared/instants";
import { show } from "../../support/page";
import { job } from "../../support/samples";

const ID = job().job_id;
const EXPLAINED = {
  instant: "2026-11-21T01:30:00.000Z",
  verdict: "frozen",
  explanation: "A freeze held it back.",
  record: null,
  nearest: { before: "2026-11-20T01:30:00.000Z", after: null },
};
/** 11:00 in Berlin. */
const NOW = Date.parse("2026-11-21T10:00:00.000Z");

beforeEach(() => {
  vi.stubEnv("TZ", "Europe/Berlin");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it("answers on the job's page why it did not run at a time of day, and leads to the instants beside it", async () => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const { asked } = show(<WhyNot jobId={ID} />, { [`GET /v1/jobs/${ID}/explain`]: EXPLAINED }, { path: `/jobs/${ID}?tab=why`, route: "/jobs/:jobId" });
  await user.type(screen.getByRole("textbox", { name: /^Why did it not run at/ }), "02:30");
  await user.click(screen.getByText("Explain"));
  await screen.findByText("A freeze held it back.");
  const before = screen.getByText(/2026-11-20 02:30:00/).closest("a");

  expect(asked[0]?.query.get("at")).toBe("2026-11-21T01:30:00.000Z");
  expect(location.search).toBe("?tab=why&why=2026-11-21T01%3A30%3A00.000Z");
  expect(before?.getAttribute("href")).toBe(`/jobs/${ID}?tab=why&why=2026-11-20T01:30:00.000Z`);
});

it("asks nothing for what is no instant", async () => {
  const { asked } = show(<WhyNot jobId={ID} />, {}, { path: `/jobs/${ID}`, route: "/jobs/:jobId" });
  await userEvent.type(screen.getByRole("textbox", { name: /^Why did it not run at/ }), "25:00{Enter}");

  expect(screen.getAllByText("This is no instant.").length).toBeGreaterThan(0);
  expect(asked).toEqual([]);
});

it.each([
  ["11:00", "2026-11-21T10:00:00.000Z"],
  ["11:01", "2026-11-20T10:01:00.000Z"],
  ["2:30", "2026-11-21T01:30:00.000Z"],
  ["23:59", "2026-11-20T22:59:00.000Z"],
  ["2026-11-21T02:30:00Z", "2026-11-21T02:30:00.000Z"],
  ["24:00", null],
  ["02:60", null],
  ["", null],
])("reads %s as the last such instant", (text, at) => {
  const read = pastInstantOf(text, NOW);

  expect(read === null ? null : new Date(read).toISOString()).toBe(at);
});

it.each([
  ["its second time, where the clock is set back", "2026-10-25T01:30:00.000Z", "2026-10-25T01:30:00.000Z"],
  ["its first time, before the second", "2026-10-25T01:29:59.999Z", "2026-10-25T00:30:00.000Z"],
  ["the day before, where the clock is set forward", "2026-03-29T12:00:00.000Z", "2026-03-28T01:30:00.000Z"],
  ["the next day", "2026-03-30T12:00:00.000Z", "2026-03-30T00:30:00.000Z"],
])("reads 02:30 as %s", (_, now, at) => {
  expect(new Date(pastInstantOf("02:30", Date.parse(now)) ?? 0).toISOString()).toBe(at);
});

it.each([
  ["2026-03-29T02:30", null],
  ["2026-03-29T01:59", "2026-03-29T00:59:00.000Z"],
  ["2026-03-29T03:00", "2026-03-29T01:00:00.000Z"],
  ["2026-03-29T02:30Z", "2026-03-29T02:30:00.000Z"],
  ["2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
])("reads %s on the reader's clock, which lacks an hour of that day", (text, at) => {
  const read = localInstantOf(text);

  expect(read === null ? null : new Date(read).toISOString()).toBe(at);
});

it.each([
  ["2026-11-21T08:00:00.000Z", "America/New_York", "2026-11-21 03:00:00 -05:00"],
  ["2026-07-01T08:00:00.000Z", "America/New_York", "2026-07-01 04:00:00 -04:00"],
  ["2026-11-21T23:30:00.000Z", "Asia/Kolkata", "2026-11-22 05:00:00 +05:30"],
  ["2026-11-21T00:00:00.000Z", "UTC", "2026-11-21 00:00:00 +00:00"],
  ["no instant", "UTC", "no instant"],
])("writes %s on the clock of %s", (at, zone, text) => {
  expect(zonedTime(at, zone)).toBe(text);
});

it("lists next runs on the schedule's clock with its offset, beside the reader's", async () => {
  const schedule = { kind: "cron", cron: "0 3 * * *", timezone: "America/New_York" };
  const instants = [{ at: "2026-11-21T08:00:00.000Z", outcome: "runs", runs_at: "2026-11-21T08:00:00.000Z" }];
  const preview = { fires: [], instants, description: "At 03:00.", clock_changes: [], end: null };
  show(<ComingFires job={job({ schedule })} />, { "POST /v1/schedules/preview": preview });
  const table = within(await screen.findByRole("table", { name: "Instants to come" }));

  expect(table.getByText("On the clock of America/New_York")).toBeTruthy();
  expect(table.getByText("2026-11-21 03:00:00 -05:00")).toBeTruthy();
  expect(table.getByText("2026-11-21 09:00:00 · 2026-11-21 08:00:00 UTC")).toBeTruthy();
});
