import { expect, test, vi } from "vitest";

import { bothTimes } from "../../src/kit/words/times";

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
