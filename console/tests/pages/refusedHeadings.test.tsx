import { screen, waitFor } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test } from "vitest";

import { PAGES } from "../../src/app/pages";
import { refusal, show } from "../support/page";
import { ADMIN, OPERATOR } from "../support/renderPage";

const REFUSALS = [[403, "insufficient_role"], [404, "not_found"], [503, "unavailable"]] as const;
const CASES = PAGES.flatMap(({ path, Page }) => REFUSALS.map(([status, code]) => ({ path, Page, status, code })));

const addressOf = (path: string): string => path.replace(/:\w+/g, "f45yzns2tqd44elwkoh3t4kpiq");

test.each(CASES)("$path has one heading of the first rank where a read is answered $status", async ({ path, Page, status, code }) => {
  const answers = new Proxy({}, { get: () => () => refusal(status, code) });
  const page = <Suspense fallback={null}><Page /></Suspense>;
  const { container } = show(page, answers, { path: addressOf(path), route: path, scopes: [...OPERATOR, ...ADMIN] });

  await waitFor(() => {
    expect(container.textContent).not.toBe("");
    expect(container.querySelectorAll(".tg-skeleton")).toHaveLength(0);
  }, { timeout: 4_000 });

  expect(screen.getAllByRole("heading", { level: 1 })).toHaveLength(1);
  expect(screen.getByRole("heading", { level: 1 }).textContent).not.toBe("");
});
