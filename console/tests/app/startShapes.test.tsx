import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { Start } from "../../src/app/Start";
import { apiOf } from "../support/page";

const SESSION = { token: () => Promise.resolve("t"), renew: () => Promise.reject(new Error()), signOut: () => undefined };

vi.mock("../../src/auth/session", () => ({ openSession: () => Promise.resolve(SESSION) }));
vi.mock("../../src/app/pages", () => {
  const pages = [{ path: "/", title: "Overview", section: "Work", Page: () => <input aria-label="Name" /> }];
  return { PAGES: pages, LISTED: pages };
});

const SETTINGS = { stage: "test", scopes: [], authorize_url: "", token_url: "", logout_url: "", client_id: "c" };
const PERSON = { tenant: "acme", caller: "ada", scopes: ["timegate/read"], person: null };

/** Shows the console to a person whom the API names as `person` says. */
function open(person: () => unknown) {
  const { fetch: answer, asked } = apiOf({
    "GET /config.json": { ...SETTINGS, api_url: "https://api.example.com" },
    "GET /v1/tenant": person,
  });
  vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
    answer(typeof input === "string" ? new URL(input, location.href).href : input, init),
  );
  history.replaceState(null, "", "/");
  render(<Start />);
  return asked;
}

const OTHER_SHAPES: [string, () => unknown][] = [
  ["null", () => Response.json(null)],
  ["an empty object", () => ({})],
  ["a list", () => [PERSON]],
  ["scopes in one text", () => ({ ...PERSON, scopes: "timegate/read" })],
  ["roles in one text", () => ({ ...PERSON, person: { roles: "viewer" } })],
  ["a page of a proxy", () => new Response("<html>", { headers: { "Content-Type": "text/html" } })],
  ["nothing", () => new Response(null, { status: 204 })],
  ["half an answer", () => new Response('{"tenant": "ac', { headers: { "Content-Type": "application/json" } })],
];

it.each(OTHER_SHAPES)("says that no person is named where the answer is %s", async (_, answer) => {
  open(answer);

  expect(await screen.findByText(/^The API cannot be reached/)).toBeDefined();
  expect(screen.getByText("Sign out")).toBeDefined();
});

it.each(OTHER_SHAPES)("keeps the page, and what is typed in it, where a later answer is %s", async (_, answer) => {
  let isOther = false;
  const asked = open(() => (isOther ? answer() : PERSON));
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "half a name" } });
  isOther = true;
  const before = asked.length;
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 60_000);
  act(() => {
    window.dispatchEvent(new Event("visibilitychange"));
  });
  await waitFor(() => {
    expect(asked.length).toBeGreaterThan(before);
  });
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));

  expect(screen.getByLabelText<HTMLInputElement>("Name").value).toBe("half a name");
});
