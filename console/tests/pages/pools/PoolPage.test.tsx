import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import PoolPage from "../../../src/pages/pools/PoolPage";
import { HOSTILE, POOL } from "../../support/answers";
import { refusal } from "../../support/page";
import { expectAccessible, expectOnlyText, renderPage } from "../../support/renderPage";

function open(answer: unknown) {
  return renderPage({
    Page: PoolPage,
    route: "/pools/:pool",
    url: "/pools/reports",
    answers: { "GET /v1/pools/reports": answer },
  });
}

test("a pool that no worker serves says first how long its runs wait", async () => {
  const page = open(POOL);

  expect(await screen.findByText("No worker serves this pool")).toBeTruthy();
  expect(screen.getByText(/the first for 3 h/)).toBeTruthy();
  expect(screen.getByText("2 high, 1 normal")).toBeTruthy();
  await expectAccessible(page.container);
});

test("workers are listed as text, and say what they take", async () => {
  const worker = { worker: HOSTILE, seen_at: "2026-11-21T07:00:00.000Z", handlers: [] };
  const page = open({ ...POOL, oldest_age_seconds: 90, workers: [worker] });

  expect(await screen.findByText("all")).toBeTruthy();
  expect(screen.getByText(/Its workers are behind/)).toBeTruthy();
  expectOnlyText(page);
});

test("a pool whose workers keep up raises no alarm", async () => {
  const worker = { worker: "w", seen_at: "2026-11-21T07:00:00.000Z", handlers: ["mail"] };
  open({ ...POOL, oldest_age_seconds: 60, workers: [worker] });

  expect(await screen.findByText("mail")).toBeTruthy();
  expect(screen.queryByText(/behind|No worker serves/)).toBeNull();
});

test("a refusal is shown with its request id", async () => {
  open(() => refusal(403, "insufficient_scope"));

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});
