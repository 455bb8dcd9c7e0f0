import { expect, it, vi } from "vitest";

import { wordsOf } from "../../../src/pages/job_form/FiresCalendar";
import { dateIn, monthsOf, zoneOf } from "../../../src/pages/job_form/days";

const runs = (at: string) => ({ at, outcome: "runs", runs_at: at });
const change = (at: string, kind: string, local_from: string, local_to: string) => ({ at, kind, local_from, local_to });
const GAP = change("2027-03-28T01:00:00Z", "gap", "2027-03-28T02:00:00", "2027-03-28T03:00:00");
const daysOf = (months: ReturnType<typeof monthsOf>) => months.flatMap(({ weeks }) => weeks.flat());

it("puts an instant on the day that its schedule's zone has then", () => {
  expect(dateIn("2026-11-22T23:30:00Z", "Europe/Berlin")).toBe("2026-11-23");
  expect(dateIn("2026-11-22T22:59:59Z", "Europe/Berlin")).toBe("2026-11-22");
});

it("begins weeks on Monday, and marks the days that fire", () => {
  const [month] = monthsOf([runs("2026-11-23T08:00:00Z"), runs("2026-11-23T09:00:00Z")], [], "UTC");

  expect(month?.title).toBe("November 2026");
  expect(month?.weeks[0]?.filter((day) => day !== null).map(({ date }) => date)).toEqual(["2026-11-01"]);
  expect(month?.weeks[4]?.[0]).toEqual({ date: "2026-11-23", fires: 2, leftOut: 0, clock: "" });
});

it("marks days that calendars leave out, and days whose clock changes", () => {
  const left = { at: "2027-03-28T07:00:00Z", outcome: "excluded", runs_at: null };
  const days = daysOf(monthsOf([left], [GAP], "Europe/Berlin"));
  const day = days.find((each) => each?.date === "2027-03-28");

  expect(day).toEqual({ date: "2027-03-28", fires: 0, leftOut: 1, clock: "+1h" });
  expect(day == null ? "" : wordsOf(day)).toBe("2027-03-28: no fire, 1 left out by calendars, the clock is set by +1h");
});

it.each([
  ["Australia/Lord_Howe", change("2027-04-03T15:00:00Z", "fold", "2027-04-04T01:30:00", "2027-04-04T02:00:00"), "−30m"],
  ["Antarctica/Troll", change("2027-03-28T01:00:00Z", "gap", "2027-03-28T01:00:00", "2027-03-28T03:00:00"), "+2h"],
])("says how far the clock of %s is set", (zone, { ...its }, clock) => {
  const days = daysOf(monthsOf([runs(its.at)], [its], zone));

  expect(days.filter((day) => day != null && day.clock !== "").map((day) => day?.clock)).toEqual([clock]);
});

it("puts what calendars move on the day on which it runs", () => {
  const moved = { at: "2026-11-21T08:00:00Z", outcome: "rolled", runs_at: "2026-11-23T08:00:00Z" };
  const fired = daysOf(monthsOf([moved], [], "UTC")).filter((day) => day !== null && day.fires > 0);

  expect(fired.map((day) => day?.date)).toEqual(["2026-11-23"]);
});

it("reads a cron without a zone in UTC, as the API does, and never fails on a zone that is not", () => {
  const here = { timeZone: "Asia/Tokyo" } as Intl.ResolvedDateTimeFormatOptions;
  vi.spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions").mockReturnValue(here);

  expect(zoneOf({ kind: "cron" })).toBe("UTC");
  expect(zoneOf({ kind: "cron", timezone: "Europe/Berlin" })).toBe("Europe/Berlin");
  expect(zoneOf({ kind: "rate" })).toBe("Asia/Tokyo");
  expect(zoneOf({ kind: "cron", timezone: "No/Where" })).toBe("Asia/Tokyo");
});
