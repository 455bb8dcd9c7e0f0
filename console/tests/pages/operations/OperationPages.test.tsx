import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import OperationPage from "../../../src/pages/operations/OperationPage";
import OperationsPage from "../../../src/pages/operations/OperationsPage";
import { countsWords, percentDone, subjectWords } from "../../../src/pages/operations/operationWords";
import { OPERATION, OPERATION_ID } from "../../support/answers";
import { refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

function open(more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: OperationPage,
    route: "/operations/:operation_id",
    url: `/operations/${OPERATION_ID}`,
    answers: { [`GET /v1/operations/${OPERATION_ID}`]: OPERATION, ...more },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("operations are listed by the filters of the address", async () => {
  const page = renderPage({
    Page: OperationsPage,
    route: "/operations",
    url: "/operations?kind=redrive&status=running",
    answers: { "GET /v1/operations": { items: [OPERATION], next_cursor: null } },
  });

  expect(await screen.findByRole("link", { name: "redrive" })).toBeTruthy();
  expect(page.asked[0]?.query.toString()).toBe("kind=redrive&status=running");
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an operation shows how far it came, and what was refused", async () => {
  const page = open();

  expect((await screen.findAllByText(/40 of 50 done, 1 unchanged, 2 failed/)).length).toBeTruthy();
  expect(screen.getByText("job_paused")).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an operation that runs is cancelled, and one that has ended is not", async () => {
  const user = userEvent.setup();
  const page = open({ [`POST /v1/operations/${OPERATION_ID}/cancel`]: OPERATION });
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: "Cancel the operation" }));

  expect(changes(page.asked)).toEqual([
    ["POST", `/v1/operations/${OPERATION_ID}/cancel`, undefined],
  ]);
  page.unmount();

  open({ [`GET /v1/operations/${OPERATION_ID}`]: { ...OPERATION, status: "succeeded" } });
  expect(isDisabled(await screen.findByRole("button", { name: "Cancel" }))).toBe(true);
});

test("a role that may not operate cancels nothing", async () => {
  open({}, VIEWER);

  expect(isDisabled(await screen.findByRole("button", { name: "Cancel" }))).toBe(true);
});

test("a stalled operation, one that waits, and one that gave up say so", async () => {
  const failure = { item: "", code: "internal_error", detail: "It gave up." };
  const cases = [
    [{ stalled: true }, /no step for five minutes/],
    [{ waits_for: "job" }, /its job is paused/],
    [{ waits_for: "runs" }, /end of runs that it began/],
    [{ failure, status: "failed" }, /It gave up/],
  ] as const;
  for (const [fields, said] of cases) {
    const page = open({ [`GET /v1/operations/${OPERATION_ID}`]: { ...OPERATION, ...fields } });
    expect(await screen.findByText(said)).toBeTruthy();
    page.unmount();
  }
});

test("a refusal is shown with its request id", async () => {
  open({ [`GET /v1/operations/${OPERATION_ID}`]: () => refusal(404, "operation_not_found") });

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});

test("an operation's subject and counts are written as they are", () => {
  const everything = { tags: {}, status: null, kind: null, priority: null, name: null };

  expect(subjectWords({ parameters: { filter: everything, catch_up: false, reason: null } })).toBe("all");
  expect(
    subjectWords({
      parameters: { filter: { ...everything, tags: { team: "ops" } }, catch_up: false, reason: null },
    }),
  ).toBe("team=ops");
  expect(percentDone(OPERATION)).toBe(86);
  expect(
    percentDone({ counts: { matched: 0, done: 0, unchanged: 0, failed: 0, in_progress: 0 } }),
  ).toBe(0);
  expect(countsWords(OPERATION)).toBe("40 of 50 done, 1 unchanged, 2 failed, 7 in progress");
});
