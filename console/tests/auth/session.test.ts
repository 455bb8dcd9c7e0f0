import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { forgetDrafts, holdDraft, takeDraft } from "../../src/auth/drafts";
import { type Session, sessionOf } from "../../src/auth/session";
import type { Settings } from "../../src/auth/settings";

const SETTINGS = { token_url: "https://id.example.com/token", client_id: "console", scopes: [] } as unknown as Settings;
const NOW = Date.UTC(2026, 10, 21, 7);

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Stands for the window's address, and remembers for where it was left. */
function address(pathname = "/jobs") {
  const assign = vi.fn();
  const reload = vi.fn();
  vi.stubGlobal("location", { origin: "https://console.example.com", pathname, search: "", assign, reload });
  const window = new EventTarget();
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  /** Shows the window again, by the way back: as it was left, or loaded anew. */
  const comeBack = (persisted: boolean) => window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted }));
  return Object.assign(assign, { reload, comeBack });
}

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

it.each([
  ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["an issuer that is away", () => Promise.resolve(new Response(null, { status: 503 }))],
])("stays on the page where a token expired while there is %s, and refreshes it later", async (_, away) => {
  const leave = address();
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: NOW });
  vi.stubGlobal("fetch", away);
  await expect(session.token()).rejects.toThrow();
  issuer();

  expect(await session.token()).toBe("token 1");
  expect(leave).not.toHaveBeenCalled();
});

it("leaves for the issuer's page once the issuer refuses to refresh", async () => {
  vi.useRealTimers();
  const leave = address();
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 400 })));
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: 0 });
  void session.token();

  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalledOnce();
  });
});

it("renews a token whose lifetime the issuer does not state, and not for each request", async () => {
  const answer = vi.fn(() => Promise.resolve(Response.json({ access_token: "new" })));
  vi.stubGlobal("fetch", answer);
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: NOW });
  const tokens = [await session.token(), await session.token()];
  vi.setSystemTime(NOW + 300_000);
  await session.token();

  expect([tokens, answer.mock.calls.length]).toEqual([["new", "new"], 2]);
});

it("leaves for the issuer's page where its answer has no token", async () => {
  const leave = address();
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ expires_in: 3600 })));
  const session = sessionOf(SETTINGS, { access: "first", refresh: "r", nonce: null, expiresAt: NOW });
  void session.token();

  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalledTimes(1);
  });
});

it("leaves once for all who are refused: the answer belongs to the sign-in that is kept", async () => {
  vi.useRealTimers();
  const leave = address();
  const session = sessionOf(SETTINGS, { access: "first", refresh: null, nonce: null, expiresAt: 0 });
  void session.token();
  void session.renew();
  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalled();
  });
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(leave).toHaveBeenCalledOnce();
});

it("keeps what is typed while it leaves for the issuer's page, of forms that are open", async () => {
  vi.useRealTimers();
  forgetDrafts();
  const leave = address();
  const forget = holdDraft("closed", { name: "sent" });
  const close = holdDraft("open", { name: "half a job" });
  forget();
  const session = sessionOf(SETTINGS, { access: "first", refresh: null, nonce: null, expiresAt: 0 });
  void session.token();
  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalled();
  });
  close();

  expect([takeDraft("closed"), takeDraft("open"), takeDraft("open")]).toEqual([undefined, { name: "half a job" }, undefined]);
  forgetDrafts();
});

it.each([
  ["the sign-out", (session: Session) => { session.signOut(); }],
  ["the session's end", (session: Session) => void session.renew()],
])("loads a window again that the browser kept as it was left by %s", async (_, end) => {
  vi.useRealTimers();
  const leave = address();
  const session = sessionOf(SETTINGS, { access: "first", refresh: null, nonce: null, expiresAt: 0 });
  end(session);
  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalled();
  });
  leave.comeBack(false);
  expect(leave.reload).not.toHaveBeenCalled();
  leave.comeBack(true);

  expect(leave.reload).toHaveBeenCalled();
});

it("leaves a window as it is that the browser kept while its session went on", () => {
  const leave = address();
  sessionOf(SETTINGS, { access: "first", refresh: null, nonce: null, expiresAt: NOW + 3_600_000 });
  leave.comeBack(true);

  expect(leave.reload).not.toHaveBeenCalled();
});

it.each(["//jobs/a", "/jobs/a", "///jobs/a"])("returns to a page of the console, and to no other host: %s", async (path) => {
  vi.useRealTimers();
  const leave = address(path);
  void sessionOf(SETTINGS, { access: "first", refresh: null, nonce: null, expiresAt: 0 }).token();
  await vi.waitFor(() => {
    expect(leave).toHaveBeenCalled();
  });

  expect(JSON.parse(sessionStorage.getItem("timegate.sign-in") ?? "")).toMatchObject({ path: "/jobs/a" });
});
