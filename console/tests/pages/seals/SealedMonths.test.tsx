import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import ArchivedRunsPage from "../../../src/pages/archive/ArchivedRunsPage";
import SealedMonthPage from "../../../src/pages/seals/SealedMonthPage";
import SealedMonthsPage from "../../../src/pages/seals/SealedMonthsPage";
import { monthBefore } from "../../../src/pages/seals/sealWords";
import { HOSTILE } from "../../support/answers";
import { type Asked, refusal } from "../../support/page";
import { expectAccessible, expectOnlyText, renderPage, VIEWER } from "../../support/renderPage";

const MONTH = "2026-10";
const PATH = "GET /v1/archive/seals";
const LIST = { Page: SealedMonthsPage, route: "/seals", url: "/seals", scopes: VIEWER };
const ONE = { Page: SealedMonthPage, route: "/seals/:month", url: `/seals/${MONTH}`, scopes: VIEWER };
const [DIGEST, BEFORE] = ["a".repeat(64), "b".repeat(64)];

const file = (path: string, rest: object = {}): object => ({
  path,
  bytes: 2_496,
  sha256: DIGEST,
  url: `https://files.example.com/${encodeURIComponent(path)}?seconds=900`,
  ...rest,
});

const SIGNATURE = `seals/tenant=acme/${MONTH}.sig`;
const ATTEMPTS = "attempts/tenant=acme/day=2026-10-12/2026-10-20-00000.parquet";
const FILES = [file(`seals/tenant=acme/${MONTH}.json`), file(SIGNATURE), file("seals/keys/5c.pem"), file(ATTEMPTS)];

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();

const sealed = (rest: object = {}): object => ({
  month: MONTH,
  archived_until: "2026-11-20",
  sha256: DIGEST,
  previous: BEFORE,
  rows: 1_234,
  urls_expire_at: inSeconds(900),
  items: FILES,
  next_cursor: null,
  ...rest,
});

const months = (items: unknown[], next_cursor: string | null = null): object => ({ items, next_cursor });

const linkOf = (name: string): HTMLElement | null =>
  within(screen.getByRole("table", { name: "Files" })).queryByRole("link", { name: new RegExp(name.slice(0, 30)) });

test("sealed months are listed, and lead to their pages", async () => {
  const { container } = renderPage({ ...LIST, answers: { [PATH]: months([{ month: MONTH }, { month: "2026-09" }]) } });
  const link = await screen.findByRole("link", { name: MONTH });

  expect(link.getAttribute("href")).toBe(`/seals/${MONTH}`);
  expect(screen.getByText("2 shown. There are no more.")).toBeTruthy();
  expect(screen.getByText("timegate ledger months")).toBeTruthy();
  expect(document.title).toBe("Sealed months · Timegate");
  await expectAccessible(container);
});

test("a tenant without a seal is told when there is one", async () => {
  renderPage({ ...LIST, answers: { [PATH]: months([]) } });

  expect(await screen.findByText("No month is sealed yet")).toBeTruthy();
});

test("a part of the list that is empty is not taken for all of it", async () => {
  const user = userEvent.setup();
  const answer = ({ query }: Asked): object =>
    query.get("cursor") === "further" ? months([{ month: MONTH }]) : months([], "further");
  const { asked } = renderPage({ ...LIST, answers: { [PATH]: answer } });
  await screen.findByText(/there are more to read/);
  expect(screen.queryByText("No month is sealed yet")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show more sealed months" }));

  expect(await screen.findByRole("link", { name: MONTH })).toBeTruthy();
  expect(asked.map(({ query }) => query.toString())).toEqual(["", "cursor=further"]);
});

test("a list that was refused says nothing of what is sealed", async () => {
  renderPage({ ...LIST, answers: { [PATH]: () => refusal(403, "insufficient_role") } });

  expect(await screen.findByText(/insufficient_role · request r-1/)).toBeTruthy();
  expect(screen.queryByText("No month is sealed yet")).toBeNull();
});

test("a sealed month shows its seal, the one before, its signature and its files", async () => {
  const shown = renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: sealed() } });
  const table = await screen.findByRole("table", { name: "Files" });
  const holds = within(table).getAllByRole("row").slice(1).map((row) => within(row).getAllByRole("cell")[0]?.textContent);

  expect(screen.getByText("2026-11-20 (UTC)")).toBeTruthy();
  expect(screen.getByText("1,234")).toBeTruthy();
  expect(screen.getByRole("link", { name: "2026-09" }).getAttribute("href")).toBe("/seals/2026-09");
  expect(screen.getByText(BEFORE)).toBeTruthy();
  expect(holds).toEqual(["Seal", "Signature", "Public key", "Attempts"]);
  expect(linkOf(ATTEMPTS)?.getAttribute("href")).toBe(
    `https://files.example.com/${encodeURIComponent(ATTEMPTS)}?seconds=900`,
  );
  // In its facts, and among the files.
  expect(screen.getAllByRole("link", { name: new RegExp(SIGNATURE) })).toHaveLength(2);
  expectOnlyText(shown);
  await expectAccessible(shown.container);
});

test("the commands copy the month and verify it from the seal before", async () => {
  renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: sealed() } });
  await screen.findByRole("table", { name: "Files" });

  expect(screen.getAllByText(`timegate ledger export --month ${MONTH} --to copy`).length).toBeGreaterThan(0);
  expect(
    screen.getByText(
      `python examples/ledger_audit/verify_ledger.py copy acme --key key.pem --since ${MONTH} --previous ${BEFORE} --until ${MONTH}`,
    ),
  ).toBeTruthy();
});

test("the first seal has none before it", async () => {
  renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: sealed({ previous: null }) } });

  expect(await screen.findByText("none: the chain begins here")).toBeTruthy();
  expect(
    screen.getByText(`python examples/ledger_audit/verify_ledger.py copy acme --key key.pem --until ${MONTH}`),
  ).toBeTruthy();
});

test("links go when they expire, and others come when the page is read again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  const { asked } = renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: () => sealed() } });
  await screen.findByRole("table", { name: "Files" });
  await act(() => vi.advanceTimersByTimeAsync(800_000));
  expect(linkOf(ATTEMPTS)).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(100_000));
  expect(screen.getByText(/Links have expired/)).toBeTruthy();
  expect(linkOf(ATTEMPTS)).toBeNull();
  // Nothing was read by itself.
  expect(asked).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Read again" }));
  await vi.waitFor(() => {
    expect(linkOf(ATTEMPTS)).not.toBeNull();
  });
  vi.useRealTimers();

  expect(asked).toHaveLength(2);
  expect(screen.queryByText(/Links have expired/)).toBeNull();
});

test("further files are read when they are asked for", async () => {
  const user = userEvent.setup();
  const answer = ({ query }: Asked): object =>
    query.get("cursor") === "further" ? sealed({ items: [file("gaps/one.parquet")] }) : sealed({ next_cursor: "further" });
  const { asked } = renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: answer } });
  await user.click(await screen.findByRole("button", { name: "Show more files" }));

  expect(await screen.findByText("gaps/one.parquet")).toBeTruthy();
  expect(screen.getByText("5 shown. There are no more.")).toBeTruthy();
  expect(asked).toHaveLength(2);
});

test("a month that is not sealed says so, and leads to those that are", async () => {
  const { container } = renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: () => refusal(404, "seal_not_found") } });

  expect(await screen.findByText(/seal_not_found · request r-1/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "which months are sealed" }).getAttribute("href")).toBe("/seals");
  expect(screen.queryByRole("table", { name: "Files" })).toBeNull();
  expect(screen.queryByText(/verify_ledger/)).toBeNull();
  await expectAccessible(container);
});

test("a month of the address is quoted in its command", async () => {
  renderPage({ ...ONE, url: `/seals/${encodeURIComponent("a;reboot")}`, answers: {} });

  expect(await screen.findByText("timegate ledger export --month 'a;reboot' --to copy")).toBeTruthy();
});

test("a hostile name of a file is text, and a script is no link", async () => {
  const items = [file(`attempts/${HOSTILE}`), file("gaps/script.parquet", { url: "javascript:globalThis.hacked=true" })];
  const shown = renderPage({ ...ONE, answers: { [`${PATH}/${MONTH}`]: sealed({ items }) } });

  expect(await screen.findByText(`attempts/${HOSTILE}`)).toBeTruthy();
  expect(screen.getByText("gaps/script.parquet").closest("a")).toBeNull();
  expect(shown.container.querySelectorAll("a[href^='javascript']")).toHaveLength(0);
  expectOnlyText(shown);
});

test("archived runs lead to the sealed months", async () => {
  renderPage({
    Page: ArchivedRunsPage,
    route: "/runs/archived",
    url: "/runs/archived",
    answers: { "GET /v1/archive/runs": { items: [], next_cursor: null, archived_until: "2026-11-20" } },
    scopes: VIEWER,
  });

  expect((await screen.findByRole("link", { name: "Sealed months" })).getAttribute("href")).toBe("/seals");
});

test.each([
  ["2026-10", "2026-09"],
  ["2027-01", "2026-12"],
  ["2026-03", "2026-02"],
])("the month before %s is %s", (month, before) => {
  expect(monthBefore(month)).toBe(before);
});
