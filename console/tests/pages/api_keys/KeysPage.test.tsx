import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { bodyOf, NEW_KEY, problemsOf } from "../../../src/pages/api_keys/keyDraft";
import KeysPage from "../../../src/pages/api_keys/KeysPage";
import { apiKey } from "../../support/answers";
import { refusal } from "../../support/page";
import {
  ADMIN,
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  OPERATOR,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const SECRET = "tgk_acme.01.9j7SbRvkraLgdItRDGY-OlPJqaQB6g5FPYVSi0Z_t38";
const MADE = { ...apiKey({ name: "exports" }), api_key: SECRET };
const NOW = Date.parse("2026-11-21T07:00:00Z");
const DAY_MS = 86_400_000;

const listed = (...items: unknown[]): object => ({ items, next_cursor: null });

function open(answers: object, scopes: readonly string[] = OPERATOR, url = "/keys") {
  return renderPage({ Page: KeysPage, route: "/keys", url, answers: { ...answers }, scopes });
}

test("keys are listed as text, the good ones first, and an ended one is not revoked again", async () => {
  const page = open({
    "GET /v1/keys": listed(
      apiKey({ key_id: "000000000000", status: "revoked", revoked_at: "2026-11-21T08:00:00.000Z" }),
      apiKey({ key_id: "010000000000" }),
      apiKey({ key_id: "020000000000", created_at: "2026-11-22T07:00:00.000Z" }),
    ),
  });
  await screen.findByText("010000000000");
  const shown = screen.getAllByRole("row").map((row) => row.querySelector("th[scope=row], td")?.textContent);

  expect(shown.filter((text) => text?.match(/^0\d0+$/))).toEqual(["020000000000", "010000000000", "000000000000"]);
  expect(screen.getAllByRole("button", { name: /^Revoke the key/ })).toHaveLength(2);
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a key that ends within two weeks is marked", async () => {
  const in_days = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
  open({
    "GET /v1/keys": listed(
      apiKey({ key_id: "010000000000", expires_at: in_days(13) }),
      apiKey({ key_id: "020000000000", expires_at: in_days(15) }),
    ),
  });
  await screen.findByText("010000000000");

  expect(screen.getAllByText(/soon/)).toHaveLength(1);
});

test("an empty list teaches the first key", async () => {
  open({ "GET /v1/keys": listed() });

  expect(await screen.findByText("timegate keys create --key-name exports --scope read")).toBeTruthy();
});

test("a key is made with name, scopes and end, and shown once", async () => {
  const user = userEvent.setup();
  const page = open({ "GET /v1/keys": listed(), "POST /v1/keys": MADE });
  await user.click(await screen.findByRole("button", { name: "Create an API key" }));
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox", { name: "Name" }), "exports");
  await user.click(within(dialog).getByRole("checkbox", { name: /^operate/ }));
  const before = Date.now();
  await user.click(within(dialog).getByRole("button", { name: "Create the key" }));
  await screen.findByText(SECRET);
  const [, , body] = changes(page.asked)[0] ?? [];
  const { expires_at: end, ...rest } = body as { expires_at: string };

  expect(rest).toEqual({ name: "exports", scopes: ["read", "operate"] });
  expect(Math.abs(Date.parse(end) - before - 365 * DAY_MS)).toBeLessThan(DAY_MS);
  fireEvent.keyDown(screen.getByRole("button", { name: "I have kept it" }), { key: "Escape", keyCode: 27 });
  expect(screen.getByText(SECRET)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Copy the key" }));
  expect(await navigator.clipboard.readText()).toBe(SECRET);
  await user.click(screen.getByRole("button", { name: "I have kept it" }));
  await waitFor(() => {
    expect(screen.queryByText(SECRET)).toBeNull();
  });
  expect(document.body.textContent).not.toContain(SECRET);
  // The cache of answers forgets it as well.
  await waitFor(() => {
    expect(page.queries.getMutationCache().getAll()).toEqual([]);
  });
});

test("a repeated click makes no second key, and says that the text is lost", async () => {
  const user = userEvent.setup();
  let count = 0;
  const page = open({
    "GET /v1/keys": listed(),
    "POST /v1/keys": () => (count++ === 0 ? refusal(503, "throttled") : { ...MADE, api_key: null }),
  });
  await user.click(await screen.findByRole("button", { name: "Create an API key" }));
  await user.click(await screen.findByRole("button", { name: "Create the key" }));
  await screen.findByText(/throttled · request r-1/);
  await user.click(screen.getByRole("button", { name: "Create the key" }));
  expect(await screen.findByText("The key is lost")).toBeTruthy();
  const sent = page.asked.filter(({ method }) => method === "POST");

  expect(sent.map(({ body }) => body)).toEqual([sent[0]?.body, sent[0]?.body]);
  expect(new Set(sent.map(({ headers }) => headers.get("Idempotency-Key"))).size).toBe(1);
});

test("a scope that the person lacks is not handed on, and one at least is", async () => {
  const user = userEvent.setup();
  open({ "GET /v1/keys": listed() });
  await user.click(await screen.findByRole("button", { name: "Create an API key" }));
  const dialog = await screen.findByRole("dialog");

  expect(isDisabled(within(dialog).getByRole("checkbox", { name: /^worker/ }))).toBe(true);
  await user.click(within(dialog).getByRole("checkbox", { name: /^read/ }));
  expect(within(dialog).getByText("A key has at least one scope.")).toBeTruthy();
  expect(isDisabled(within(dialog).getByRole("button", { name: "Create the key" }))).toBe(true);
});

test("a refusal stays beside the question", async () => {
  const user = userEvent.setup();
  open({ "GET /v1/keys": listed(), "POST /v1/keys": () => refusal(409, "too_many_keys") });
  await user.click(await screen.findByRole("button", { name: "Create an API key" }));
  await user.click(await screen.findByRole("button", { name: "Create the key" }));

  expect(await screen.findByText(/too_many_keys · request r-1/)).toBeTruthy();
});

test("a viewer sees keys and is told why she makes and revokes none", async () => {
  open({ "GET /v1/keys": listed(apiKey()) }, VIEWER);
  const revoke = await screen.findByRole("button", { name: /^Revoke the key/ });

  expect(isDisabled(revoke)).toBe(true);
  expect(isDisabled(screen.getByRole("button", { name: "Create an API key" }))).toBe(true);
});

test("a key is revoked after a question", async () => {
  const user = userEvent.setup();
  const page = open({
    "GET /v1/keys": listed(apiKey()),
    "POST /v1/keys/01272c6c6d19/revoke": apiKey({ status: "revoked" }),
  });
  await user.click(await screen.findByRole("button", { name: "Revoke the key 01272c6c6d19" }));
  expect(changes(page.asked)).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Revoke the key" }));

  await waitFor(() => {
    expect(changes(page.asked)).toEqual([["POST", "/v1/keys/01272c6c6d19/revoke", undefined]]);
  });
});

test("the stage's administration makes and revokes keys of the tenant in the address", async () => {
  const user = userEvent.setup();
  const page = open(
    {
      "GET /v1/tenants/red/keys": listed(apiKey()),
      "POST /v1/tenants/red/keys": MADE,
      "POST /v1/tenants/red/keys/01272c6c6d19/revoke": apiKey(),
    },
    ADMIN,
    "/keys?tenant=red",
  );
  await user.click(await screen.findByRole("button", { name: "Create an API key" }));
  await user.click(await screen.findByRole("checkbox", { name: /^worker/ }));
  await user.click(screen.getByRole("button", { name: "Create the key" }));
  await user.click(await screen.findByRole("button", { name: "I have kept it" }));
  await user.click(screen.getByRole("button", { name: "Revoke the key 01272c6c6d19" }));
  await user.click(await screen.findByRole("button", { name: "Revoke the key" }));
  await waitFor(() => {
    expect(changes(page.asked).map(([, path]) => path)).toEqual([
      "/v1/tenants/red/keys",
      "/v1/tenants/red/keys/01272c6c6d19/revoke",
    ]);
  });

  expect(changes(page.asked)[0]?.[2]).toMatchObject({ scopes: ["read", "worker"] });
});

test("without the scope of the administration, the address of another tenant shows one's own keys and says so", async () => {
  const page = open({ "GET /v1/keys": listed() }, OPERATOR, "/keys?tenant=red");

  expect(await screen.findByText(/administration alone sees keys of red/)).toBeTruthy();
  expect(page.asked.map(({ path }) => path)).toEqual(["/v1/keys"]);
});

test.each([
  ["2026-11-21T07:00:00Z", "A key ends in the future."],
  ["2026-11-21T07:00:01Z", undefined],
  ["2027-12-26T07:00:00Z", undefined],
  ["2027-12-26T07:00:01Z", "A key lasts at most 400 days."],
  ["tomorrow", "Write an instant with its offset: 2026-12-31T00:00:00Z."],
])("the end %s is judged", (endsAt, problem) => {
  const draft = { ...NEW_KEY, lasts: "until", endsAt };

  expect(problemsOf(draft, NOW).endsAt).toBe(problem);
  if (problem === undefined) expect(Date.parse(bodyOf(draft, NOW).expires_at ?? "")).toBe(Date.parse(endsAt));
});
