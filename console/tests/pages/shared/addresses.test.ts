import { expect, it } from "vitest";

import { instantRefusal } from "../../../src/pages/runs/acts/anotherInstant";
import { instantOf, isDay, localInstantOf } from "../../../src/pages/shared/instants";
import { sinceInstant, sinceOf } from "../../../src/pages/shared/Since";
import { firstQuestion, problemsOf } from "../../../src/pages/what_if/scenario";

const NOW = Date.UTC(2026, 10, 21, 9);

it.each(["constructor", "toString", "2h", ""])("reads no span of time from %j", (since) => {
  expect(sinceOf(new URLSearchParams({ since }))).toBe("24h");
  expect(sinceOf(new URLSearchParams({ since: "7d" }))).toBe("7d");
  expect(sinceInstant("24h", NOW)).toBe("2026-11-20T09:00:00.000Z");
});

it.each([
  ["2026-02-28T10:00:00+01:00", Date.UTC(2026, 1, 28, 9)],
  ["2028-02-29T10:00Z", Date.UTC(2028, 1, 29, 10)],
  ["2026-02-29T10:00:00Z", null],
  ["2026-02-30T10:00:00+01:00", null],
  ["2026-04-31T10:00:00Z", null],
  ["2026-11-21T10:00:00", null],
  ["2026-11-21", null],
  ["12", null],
])("reads %s as the instant that it names, or as none", (text, instant) => {
  const at = { ...firstQuestion(NOW, {}), from: text, to: "2030-01-01T00:00:00Z" };

  expect(instantOf(text)).toBe(instant);
  expect(instantRefusal({ by: "at", minutes: "", at: text }) === null).toBe(instant !== null);
  expect(problemsOf(at).from === undefined).toBe(instant !== null);
});

it("reads an instant without an offset on the reader's clock, where that is said", () => {
  expect(localInstantOf("2026-11-21T10:00")).toBe(new Date(2026, 10, 21, 10).getTime());
  expect(localInstantOf("2026-02-30T10:00")).toBeNull();
  expect(localInstantOf("5")).toBeNull();
});

it("knows days of the calendar from others", () => {
  expect(["2026-02-28", "2028-02-29"].map(isDay)).toEqual([true, true]);
  expect(["2026-02-29", "2026-13-01", "26-1-1", ""].map(isDay)).toEqual([false, false, false, false]);
});
