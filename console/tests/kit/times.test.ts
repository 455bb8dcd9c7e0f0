import { expect, test, vi } from "vitest";

import { bothTimes, duration } from "../../src/kit/words/times";

const AT = "2026-11-21T07:00:00.250Z";

test.each([
  ["UTC", false, "2026-11-21 07:00:00 UTC"],
  ["UTC", true, "2026-11-21 07:00:00.250 UTC"],
  ["Europe/Berlin", false, "2026-11-21 08:00:00 · 2026-11-21 07:00:00 UTC"],
  ["Europe/Berlin", true, "2026-11-21 08:00:00.250 · 2026-11-21 07:00:00.250 UTC"],
])("a reader in %s (precise: %s) reads %s", (zone, precise, text) => {
  vi.stubEnv("TZ", zone);
  expect(bothTimes(AT, precise)).toBe(text);
  vi.unstubAllEnvs();
});

test.each([
  [59_499, "59 s"],
  [59_500, "1 min"],
  [3_569_999, "59 min"],
  [3_570_000, "1 h"],
  [169_199_999, "47 h"],
  [171_000_000, "2 d"],
])("%s ms are %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});
