import { beforeEach, expect, it, vi } from "vitest";

import { sessionOf } from "../../src/auth/session";
import type { Settings } from "../../src/auth/settings";

const SETTINGS = { token_url: "https://id.example.com/token", client_id: "console", scopes: [] } as unknown as Settings;
const NOW = Date.UTC(2026, 10, 21, 7);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

/** Grants tokens named by their number. */
function issuer(): { count: number } {
  const asked = { count: 0 };
  vi.stubGlobal("fetch", () => {
    asked.count += 1;
    return Promise.resolve(Response.json({ access_token: `token ${asked.count}`, expires_in: 3600 }));
  });
  return asked;
}

it("keeps a token until a minute before it expires", async () => {
  const asked = issuer();
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: NOW + 60_001 });
  const before = await session.token();
  vi.setSystemTime(NOW + 1);
  const after = await session.token();

  expect([before, after, asked.count]).toEqual(["first", "token 1", 1]);
});

it("refreshes once for all who wait for a token", async () => {
  const asked = issuer();
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: NOW });
  const tokens = await Promise.all([session.token(), session.token(), session.token()]);

  expect(tokens).toEqual(["token 1", "token 1", "token 1"]);
  expect(asked.count).toBe(1);
});
