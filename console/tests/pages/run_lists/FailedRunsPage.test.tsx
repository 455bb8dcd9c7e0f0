import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import FailedRunsPage from "../../../src/pages/run_lists/FailedRunsPage";
import { refusal } from "../../support/page";
import { changes, expectAccessible, expectOnlyText, renderPage } from "../../support/renderPage";
import { failedRun, OPERATION, run, RUN_ID } from "../../support/answers";

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

const FAILED = () => failedRun({ state: "failed", reason: "permanent" });

test("all that match are counted before they are redriven as one operation", async () => {
  const user = userEvent.setup();
  const never = failedRun({ run_id: `${RUN_ID}x`, state: "cancelled", started_at: null });
  const { asked } = renderPage({
    ...PAGE,
    url: "/runs?error_code=http_503&tag=team:ops&since=all",
    answers: {
      "GET /v1/runs": { items: [FAILED(), never], next_cursor: null, complete: true, left_out: null },
      "POST /v1/runs/redrive": OPERATION,
    },
  });
  await user.click(await screen.findByRole("button", { name: "Redrive all that match" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("button", { name: "Redrive 1" }));
  await screen.findByText("another page");

  expect(changes(asked)).toEqual([
    ["POST", "/v1/runs/redrive", { filter: { error_code: "http_503", tags: { team: "ops" } } }],
  ]);
});

test("runs that were chosen are redriven, each once", async () => {
  const user = userEvent.setup();
  const { asked } = renderPage({
    ...PAGE,
    url: "/runs",
    answers: {
      "GET /v1/runs": { items: [FAILED()], next_cursor: null },
      [`POST /v1/runs/${RUN_ID}/redrive`]: run({ state: "queued" }),
    },
  });
  await user.click(await screen.findByRole("checkbox", { name: `Choose the run ${RUN_ID}` }));
  await user.click(screen.getByRole("button", { name: "Redrive" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Redrive 1" }));

  expect(await within(dialog).findByText("Done")).toBeTruthy();
  expect(changes(asked)).toEqual([["POST", `/v1/runs/${RUN_ID}/redrive`, {}]]);
  expect(asked.find(({ method }) => method === "POST")?.headers.get("Idempotency-Key")).toBe(`console-${RUN_ID}-1`);
});

test("a run that failed again since it was chosen is tried again, and not answered for its last try", async () => {
  const user = userEvent.setup();
  let attempt = 1;
  const { asked, queries } = renderPage({
    ...PAGE,
    url: "/runs",
    answers: {
      "GET /v1/runs": () => ({ items: [failedRun({ attempt })], next_cursor: null }),
      [`POST /v1/runs/${RUN_ID}/redrive`]: run(),
    },
  });
  await user.click(await screen.findByRole("checkbox", { name: `Choose the run ${RUN_ID}` }));
  attempt = 2;
  await queries.invalidateQueries();
  await user.click(screen.getByRole("button", { name: "Redrive" }));
  await user.click(await within(await screen.findByRole("dialog")).findByRole("button", { name: "Redrive 1" }));
  await screen.findByText("1 of 1 done");

  expect(asked.find(({ method }) => method === "POST")?.headers.get("Idempotency-Key")).toBe(`console-${RUN_ID}-2`);
});
