import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { clientOf } from "../../src/api/client";
import { present } from "../../src/api/clock";
import { bodyOf, NEW_FREEZE } from "../../src/pages/restrictions/freezeDraft";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const HOUR = 3_600_000;

const SESSION = { token: () => Promise.resolve("t"), renew: () => new Promise<never>(() => undefined), signOut: () => undefined };
const client = clientOf("https://api.timegate.test", SESSION);

/** Reads one answer of an API whose clock shows `date`, and which takes `took` milliseconds. */
async function answered(date: number | null, took = 0, status = 200): Promise<void> {
  vi.stubGlobal("fetch", () => {
    vi.setSystemTime(Date.now() + took);
    const headers = { ETag: '"1"', ...(date === null ? {} : { Date: new Date(date).toUTCString() }) };
    return Promise.resolve(new Response(status === 304 ? null : "{}", { status, headers }));
  });
  await client.GET("/v1/tenant");
}

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
});

afterEach(async () => {
  await answered(Date.now());
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it.each([
  ["is a day fast", -26 * HOUR, -26 * HOUR],
  ["is hours slow", 3 * HOUR, 3 * HOUR],
  ["differs by seconds, as answers take", -59_000, 0],
])("the present of a machine whose clock %s is the API's", async (_, difference, ahead) => {
  await answered(NOW + difference);

  expect(present()).toBe(NOW + ahead);
});

it("the present is the machine's again once its clock is set right", async () => {
  await answered(NOW - 26 * HOUR);
  vi.setSystemTime(NOW - 26 * HOUR);
  await answered(NOW - 26 * HOUR);

  expect(present()).toBe(NOW - 26 * HOUR);
});

it.each([
  ["that says no time", null, 0],
  ["that came while the machine slept", NOW, 5 * HOUR],
])("an answer %s changes nothing", async (_, date, took) => {
  await answered(date, took);

  expect(present()).toBe(NOW + took);
});

it("an answer that has not changed says the time as well", async () => {
  await answered(NOW);
  vi.setSystemTime(NOW + 5 * HOUR);
  await answered(NOW + 5 * HOUR, 0, 304);

  expect(present()).toBe(NOW + 5 * HOUR);
});

it("a freeze of four hours lasts four on the API's clock", async () => {
  await answered(NOW - 26 * HOUR);

  expect(bodyOf({ ...NEW_FREEZE, scope: "tenant" }, present()).ends_at).toBe("2026-11-29T14:00:00.000Z");
});
