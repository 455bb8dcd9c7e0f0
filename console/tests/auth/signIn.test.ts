import { afterEach, describe, expect, it, vi } from "vitest";

import { challengeOf } from "../../src/auth/pkce";
import { beginSignIn, endSignIn, signOutAddress } from "../../src/auth/signIn";
import type { Settings } from "../../src/auth/settings";

const SETTINGS: Settings = {
  stage: "test",
  api_url: "https://api.example.com",
  authorize_url: "https://id.example.com/oauth2/authorize",
  token_url: "https://id.example.com/oauth2/token",
  logout_url: "https://id.example.com/logout",
  client_id: "console",
  scopes: ["openid", "timegate/read"],
};
const HOME = location.href;

afterEach(() => {
  history.replaceState(null, "", HOME);
});

/** Answers the token endpoint, and remembers what it was asked. */
function issuer(status = 200, nonce?: string): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    asked.push(init.body as URLSearchParams);
    const granted = { access_token: "access", refresh_token: "refresh", expires_in: 3600, ...identity(nonce) };
    return Promise.resolve(Response.json(granted, { status }));
  });
  return asked;
}

/** An ID token of the issuer, as far as the console reads it. */
function identity(nonce: string | undefined): { id_token?: string } {
  return nonce === undefined ? {} : { id_token: `head.${btoa(JSON.stringify({ nonce }))}.signature` };
}

const returned = (query: string): URL => new URL(`https://console.example.com/signed-in?${query}`);

describe("a sign-in", () => {
  it("derives its challenge as RFC 7636, appendix B, does", async () => {
    const challenge = await challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");

    expect(challenge).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  it("ends with the verifier of its challenge, at the page where it began", async () => {
    const asked = issuer();
    const page = new URL(await beginSignIn(SETTINGS, "/jobs?status=paused"));
    const state = page.searchParams.get("state") ?? "";
    const done = await endSignIn(SETTINGS, returned(`code=c1&state=${state}`));

    expect(page.searchParams.get("code_challenge_method")).toBe("S256");
    expect(await challengeOf(asked[0]?.get("code_verifier") ?? "")).toBe(
      page.searchParams.get("code_challenge"),
    );
    expect(done?.path).toBe("/jobs?status=paused");
    expect(location.search).toBe("?status=paused");
  });

  it("is refused with another state, and asks the issuer for nothing", async () => {
    const asked = issuer();
    await beginSignIn(SETTINGS, "/");

    await expect(endSignIn(SETTINGS, returned("code=c1&state=other"))).rejects.toThrow("not begun");
    expect(asked).toEqual([]);
  });

  it("is refused with the ID token of another sign-in, and keeps none of its tokens", async () => {
    const page = new URL(await beginSignIn(SETTINGS, "/"));
    issuer(200, "of another sign-in");
    const state = page.searchParams.get("state") ?? "";

    await expect(endSignIn(SETTINGS, returned(`code=c1&state=${state}`))).rejects.toThrow("another sign-in");
  });

  it("ends with the ID token that has its nonce", async () => {
    const page = new URL(await beginSignIn(SETTINGS, "/"));
    const nonce = page.searchParams.get("nonce") ?? "";
    issuer(200, nonce);
    const state = page.searchParams.get("state") ?? "";
    const done = await endSignIn(SETTINGS, returned(`code=c1&state=${state}`));

    expect(nonce.length).toBe(32);
    expect(done?.tokens.access).toBe("access");
  });

  it("cannot be ended twice", async () => {
    issuer();
    const page = new URL(await beginSignIn(SETTINGS, "/"));
    const address = returned(`code=c1&state=${page.searchParams.get("state") ?? ""}`);
    await endSignIn(SETTINGS, address);

    await expect(endSignIn(SETTINGS, address)).rejects.toThrow("not begun");
  });

  it("says why the issuer refused it", async () => {
    const page = new URL(await beginSignIn(SETTINGS, "/"));
    const state = page.searchParams.get("state") ?? "";

    await expect(
      endSignIn(SETTINGS, returned(`error=access_denied&error_description=No+such+person&state=${state}`)),
    ).rejects.toThrow("No such person");
  });

  it("shows no words of a link that another page made", async () => {
    await beginSignIn(SETTINGS, "/");

    await expect(
      endSignIn(SETTINGS, returned("error=x&error_description=Call+555-0100+to+unlock&state=guessed")),
    ).rejects.toThrow("not begun in this window");
  });

  it("is none of this window where the storage holds no sign-in that can be read", async () => {
    sessionStorage.setItem("timegate.sign-in", "{");

    await expect(endSignIn(SETTINGS, returned("code=c1&state=s"))).rejects.toThrow("not begun in this window");
    expect(sessionStorage.length).toBe(0);
  });

  it("leaves no token in any storage", async () => {
    issuer();
    const page = new URL(await beginSignIn(SETTINGS, "/"));
    await endSignIn(SETTINGS, returned(`code=c1&state=${page.searchParams.get("state") ?? ""}`));

    expect([sessionStorage.length, window.localStorage.length]).toEqual([0, 0]);
  });
});

it("signs out at the issuer, and returns to the console", () => {
  const address = new URL(signOutAddress(SETTINGS));

  expect(address.searchParams.get("logout_uri")).toBe(`${location.origin}/signed-out`);
});
