import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import PoolPage from "../../../src/pages/pools/PoolPage";
import PoolsPage from "../../../src/pages/pools/PoolsPage";
import { HOSTILE, POOL } from "../../support/answers";
import { refusal } from "../../support/page";
import { changes, expectAccessible, expectOnlyText, isDisabled, renderPage, VIEWER } from "../../support/renderPage";

function open(answer: unknown) {
  return renderPage({
    Page: PoolPage,
    route: "/pools/:pool",
    url: "/pools/reports",
    answers: { "GET /v1/pools/reports": answer },
  });
}

test("a pool that no worker serves says first since when, and how long its runs wait", async () => {
  const lastSeen = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const page = open({ ...POOL, last_seen_at: lastSeen });

  expect(await screen.findByText("No worker has served this pool for 2 h")).toBeTruthy();
  expect(screen.getByText(/the first for 3 h/)).toBeTruthy();
  expect(screen.getByText("2 high, 1 normal")).toBeTruthy();
  await expectAccessible(page.container);
});

test("a pool that was not served for longer than that is known says so", async () => {
  open(POOL);

  expect(await screen.findByText("No worker has served this pool for 90 days")).toBeTruthy();
  expect(screen.getByText("not in 90 days")).toBeTruthy();
});

test("workers are listed as text, and say what they take and how many at once", async () => {
  const seen = { seen_at: "2026-11-21T07:00:00.000Z", handlers: [] };
  const workers = [
    { ...seen, worker: HOSTILE, capacity: 4, in_use: 3 },
    { ...seen, worker: "silent", handlers: ["mail"], capacity: null, in_use: null },
    { ...seen, worker: "half", handlers: ["mail"], capacity: 2_000, in_use: null },
  ];
  const page = open({ ...POOL, oldest_age_seconds: 90, workers, capacity: 2_004, in_use: 5 });

  expect(await screen.findByText("all")).toBeTruthy();
  for (const use of ["3 of 4", "–", "? of 2,000", "5 of 2,004"]) {
    expect(screen.getAllByText(use).length).toBeGreaterThan(0);
  }
  expect(screen.getByText(/Its workers are behind/)).toBeTruthy();
  expectOnlyText(page);
});

test("a pool whose workers keep up raises no alarm", async () => {
  const worker = {
    ...{ worker: "w", seen_at: "2026-11-21T07:00:00.000Z", handlers: ["mail"] },
    ...{ capacity: 1, in_use: 0 },
  };
  open({ ...POOL, oldest_age_seconds: 60, workers: [worker] });

  expect(await screen.findByText("mail")).toBeTruthy();
  expect(screen.queryByText(/behind|No worker has served/)).toBeNull();
});

test("a refusal is shown with its request id", async () => {
  open(() => refusal(403, "insufficient_scope"));

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});

const LISTED = {
  pool: "reports",
  workers: 0,
  last_seen_at: new Date(Date.now() - 3 * 3_600_000).toISOString(),
  jobs: 2,
  capacity: null,
  in_use: null,
  waiting: { count: 25, is_partial: true, oldest_at: new Date().toISOString() },
  pause: null,
};

function openList(pools: object[], rest: object = { is_partial: true }) {
  return renderPage({
    Page: PoolsPage,
    route: "/pools",
    url: "/pools",
    answers: { "GET /v1/pools": { pools, ...rest } },
  });
}

test("pools are listed, and one that no worker serves says for how long", async () => {
  const page = openList([LISTED]);

  expect((await screen.findByRole("link", { name: "reports" })).getAttribute("href")).toBe(
    "/pools/reports",
  );
  expect(screen.getByText("3 h ago")).toBeTruthy();
  expect(screen.getByText("25 or more")).toBeTruthy();
  expect(screen.getByText(/more jobs, workers or pauses/)).toBeTruthy();
  await expectAccessible(page.container);
});

test("a pool that is served says by how many workers, and one that was not counted so", async () => {
  openList([{ ...LISTED, workers: 1, capacity: 4, in_use: 1, waiting: null }]);

  expect(await screen.findByText("1 worker")).toBeTruthy();
  expect(screen.getByText("1 of 4")).toBeTruthy();
  expect(screen.getByText("open the pool to count")).toBeTruthy();
});

test("a tenant without a pool reads how the first run is offered", async () => {
  openList([], { is_partial: false });

  expect(await screen.findByText(/timegate jobs create --name report --now --pool/)).toBeTruthy();
});

test("a tenant whose jobs were not all read is not said to have no pool", async () => {
  openList([]);

  expect(await screen.findByText("None among those that were read.")).toBeTruthy();
  expect(screen.queryByText("No pool yet")).toBeNull();
});

test("a refusal says nothing of the pools there are", async () => {
  renderPage({ Page: PoolsPage, route: "/pools", url: "/pools", answers: { "GET /v1/pools": () => refusal(429, "rate_exceeded") } });

  expect(await screen.findByText("They could not be read.")).toBeTruthy();
  expect(screen.queryByText("No pool yet")).toBeNull();
});

const PAUSE = { since: "2026-11-21T07:00:00.000Z", until: null, by: HOSTILE, reason: HOSTILE };

test("a paused pool says so first, and no alarm over workers", async () => {
  const page = open({ ...POOL, pause: PAUSE });

  expect(await screen.findByText(/This pool is paused/)).toBeTruthy();
  expect(screen.queryByText(/No worker has served/)).toBeNull();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a paused pool is listed as such", async () => {
  openList([{ ...LISTED, pause: PAUSE }]);

  expect(await screen.findByText(/Paused since/)).toBeTruthy();
});

function openToChange(answer: object, scopes?: readonly string[]) {
  const standing = { pool: "reports", pause: null, last_seen_at: null };
  return renderPage({
    Page: PoolPage,
    route: "/pools/:pool",
    url: "/pools/reports",
    answers: {
      "GET /v1/pools/reports": answer,
      "POST /v1/pools/reports/pause": standing,
      "POST /v1/pools/reports/resume": standing,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("a pool is paused after a question, with a reason", async () => {
  const { asked } = openToChange(POOL);
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  await userEvent.type(screen.getByRole("textbox"), "Moving.");

  expect(changes(asked)).toEqual([]);
  expect(screen.getByText("timegate pools pause reports --reason Moving.")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Pause the pool" }));
  await waitFor(() => {
    expect(changes(asked)).toEqual([
      ["POST", "/v1/pools/reports/pause", { reason: "Moving.", until: null }],
    ]);
  });
});

test("a paused pool is resumed after a question", async () => {
  const { asked } = openToChange({ ...POOL, pause: PAUSE });
  await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
  await userEvent.click(screen.getByRole("button", { name: "Resume the pool" }));

  await waitFor(() => {
    expect(changes(asked).map(([, path]) => path)).toEqual(["/v1/pools/reports/resume"]);
  });
});

test("who may only read pauses no pool", async () => {
  openToChange(POOL, VIEWER);

  expect(isDisabled(await screen.findByRole("button", { name: "Pause" }))).toBe(true);
});
