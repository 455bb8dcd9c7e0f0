import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { Start } from "../../src/app/Start";
import { apiOf, refusal } from "../support/page";

const SESSION = { token: () => Promise.resolve("t"), renew: () => Promise.reject(new Error()), signOut: () => undefined };
/** Refusals of the issuer that are still to come, and the address at which each session was asked for. */
const signIns = vi.hoisted(() => ({ refusals: [] as string[], at: [] as string[] }));

vi.mock("../../src/auth/session", () => ({
  openSession: () => {
    signIns.at.push(`${location.pathname}${location.search}`);
    const refusal = signIns.refusals.shift();
    return refusal === undefined ? Promise.resolve(SESSION) : Promise.reject(new Error(refusal));
  },
}));
vi.mock("../../src/app/pages", () => {
  const pages = [{ path: "/", title: "Overview", section: "Work", Page: () => <input aria-label="Name" /> }];
  return { PAGES: pages, LISTED: pages };
});

const SETTINGS = { stage: "test", scopes: [], authorize_url: "", token_url: "", logout_url: "", client_id: "c" };
const PERSON = { tenant: "acme", caller: "ada", scopes: ["timegate/read"], person: null };

/** Shows the console to a person whom the API names as `person` says. */
function open(person: () => unknown, path = "/") {
  const { fetch: answer, asked } = apiOf({
    "GET /config.json": { ...SETTINGS, api_url: "https://api.example.com" },
    "GET /v1/tenant": person,
  });
  vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
    answer(typeof input === "string" ? new URL(input, location.href).href : input, init),
  );
  history.replaceState(null, "", path);
  signIns.at = [];
  render(<Start />);
  return asked;
}

it("says why a person who is not known sees nothing", async () => {
  open(() => refusal(403, "insufficient_role"));

  expect(await screen.findByText("Sign out")).toBeDefined();
  expect(screen.getByText("Ask an administrator of the stage for the role that it takes.")).toBeDefined();
});

it("reads by itself who signs in, once the API is back", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let isAway = true;
  open(() => (isAway ? refusal(503, "unavailable") : PERSON));
  expect(await screen.findByText(/The page reads it again by itself/)).toBeDefined();
  isAway = false;
  await act(() => vi.advanceTimersByTimeAsync(31_000));

  expect(await screen.findByLabelText("Name")).toBeDefined();
});

it("keeps the page, and what is typed in it, while the person cannot be read again", async () => {
  let isAway = false;
  const asked = open(() => (isAway ? refusal(503, "unavailable") : PERSON));
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "half a name" } });
  isAway = true;
  const before = asked.length;
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  act(() => {
    document.dispatchEvent(new Event("visibilitychange"));
    window.dispatchEvent(new Event("visibilitychange"));
  });
  await waitFor(() => {
    expect(asked.length).toBeGreaterThan(before);
  });
  await waitFor(() => {
    expect(document.querySelector("[data-reading]")?.getAttribute("data-reading")).toBe("0");
  });

  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("half a name");
});

it("signs in again at the page that was asked for, after a sign-in that failed", async () => {
  signIns.refusals = ["The issuer refused the sign-in (400)."];
  open(() => PERSON, "/runs/all?state=running");
  expect(await screen.findByText("The issuer refused the sign-in (400).")).toBeDefined();
  fireEvent.click(screen.getByText("Sign in"));
  await screen.findAllByText("There is no such page");

  expect(signIns.at).toEqual(["/runs/all?state=running", "/runs/all?state=running"]);
  expect(`${location.pathname}${location.search}`).toBe("/runs/all?state=running");
});
