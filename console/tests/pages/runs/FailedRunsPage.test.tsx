import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import FailedRunsPage from "../../../src/pages/runs/FailedRunsPage";
import { refusal } from "../../support/page";
import { expectAccessible, expectOnlyText, renderPage } from "../../support/renderPage";
import { failedRun, RUN_ID } from "../../support/answers";

const PAGE = { Page: FailedRunsPage, route: "/runs" };

test("failed runs of all jobs are listed, as text", async () => {
  const { container } = renderPage({
    ...PAGE,
    url: "/runs",
    answers: { "GET /v1/runs": { items: [failedRun()], next_cursor: null } },
  });

  expect((await screen.findByRole("link", { name: /report/ })).getAttribute("href")).toBe(
    `/runs/${RUN_ID}`,
  );
  expect(screen.getByText("dead lettered (retries_exhausted)")).toBeTruthy();
  expectOnlyText({ container });
  await expectAccessible(container);
});

test("filters come from the page's URL, and are what the API is asked", async () => {
  const { asked } = renderPage({
    ...PAGE,
    url: "/runs?state=failed&state=timed_out&error_code=http_404&tag=team:ops&since=all",
    answers: { "GET /v1/runs": { items: [], next_cursor: null } },
  });

  expect(await screen.findByText("No failed run matches")).toBeTruthy();
  expect(asked[0]?.query.toString()).toBe(
    "state=failed&state=timed_out&error_code=http_404&tag=team%3Aops",
  );
  expect(screen.getByText(/--error-code http_404 --tag team=ops/)).toBeTruthy();
});

test("a page that is short and not the last is read on, and more are read when asked", async () => {
  const user = userEvent.setup();
  const pages = [
    { items: [], next_cursor: "a" },
    { items: [failedRun()], next_cursor: "b" },
    { items: [failedRun({ run_id: `${RUN_ID}x`, job_name: "second" })], next_cursor: null },
  ];
  const { asked } = renderPage({
    ...PAGE,
    url: "/runs",
    answers: { "GET /v1/runs": () => pages.shift() ?? {} },
  });
  await user.click(await screen.findByRole("button", { name: "Show more failed runs" }));

  expect(await screen.findByRole("link", { name: "second" })).toBeTruthy();
  expect(asked.map(({ query }) => query.get("cursor"))).toEqual([null, "a", "b"]);
});

test("a refusal says what to do, with its request id", async () => {
  renderPage({
    ...PAGE,
    url: "/runs",
    answers: { "GET /v1/runs": () => refusal(403, "insufficient_scope", "The token does not allow this.") },
  });

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});
