import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import DecisionsPage from "../../../src/pages/decisions/DecisionsPage";
import type { Schemas } from "../../../src/kit";
import { deadLetter, decision, failedRun, JOB_ID, OPERATION, run, RUN_ID } from "../../support/answers";
import { refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const SECOND_ID = `${JOB_ID}.s20261122T070100000Z`;

function open(groups: Schemas["Decision"][], more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: DecisionsPage,
    route: "/decisions",
    url: "/decisions",
    answers: {
      "GET /v1/decisions": {
        since: "2026-11-14T07:00:00.000Z",
        read: groups.length,
        is_partial: false,
        groups,
        approvals: [],
        approvals_are_partial: false,
      },
      ...more,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("waiting decisions are grouped by cause, with the likely cause and what to do", async () => {
  const page = open([decision(), decision({ kind: "dag_task", error_code: "http_404" })]);

  expect(await screen.findByText(/Given up: http_503/)).toBeTruthy();
  expect(screen.getByText(/Redrive them once the cause is mended/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the DAG run" })).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an empty list says that nothing waits", async () => {
  open([]);

  expect(await screen.findByText("Nothing waits for you")).toBeTruthy();
});

test("all dead letters of a cause are counted before they are redriven as one operation", async () => {
  const user = userEvent.setup();
  const { asked } = open([decision()], {
    "GET /v1/dead-letters": { items: [deadLetter(), { ...deadLetter(), run_id: SECOND_ID }], next_cursor: null },
    "POST /v1/dead-letters/redrive": OPERATION,
  });
  await user.click(await screen.findByRole("button", { name: "Redrive all" }));
  const dialog = await screen.findByRole("dialog");

  expect(await within(dialog).findByText(/2 dead letters are meant/)).toBeTruthy();
  expect(changes(asked)).toEqual([]);

  await user.type(within(dialog).getByRole("textbox", { name: /Note/ }), "it is back");
  await user.click(within(dialog).getByRole("button", { name: "Redrive 2" }));

  expect(changes(asked)).toEqual([
    [
      "POST",
      "/v1/dead-letters/redrive",
      {
        filter: {
          reason: "retries_exhausted",
          error_code: "http_503",
          from: "2026-11-14T07:00:00.000Z",
        },
        note: "it is back",
      },
    ],
  ]);
});

test("nothing can be settled of a cause that has no dead letter any more", async () => {
  const user = userEvent.setup();
  open([decision()], { "GET /v1/dead-letters": { items: [], next_cursor: null } });
  await user.click(await screen.findByRole("button", { name: "Discard all" }));
  const dialog = await screen.findByRole("dialog");

  expect(await within(dialog).findByText(/No dead letter of this cause is left/)).toBeTruthy();
  expect(isDisabled(within(dialog).getByRole("button", { name: "Discard 0" }))).toBe(true);
});

test("one run is redriven with the payload that it is given", async () => {
  const user = userEvent.setup();
  const { asked } = open([decision({ kind: "failed_run" })], {
    [`GET /v1/runs/${RUN_ID}`]: run({ state: "failed" }),
    [`POST /v1/runs/${RUN_ID}/redrive`]: run({ state: "queued" }),
  });
  await user.click(await screen.findByRole("button", { name: /^Redrive report/ }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("radio", { name: /With another payload/ }));
  const editor = within(dialog).getByRole("textbox", { name: "Payload" });
  await user.clear(editor);
  await user.type(editor, "null");
  await user.click(within(dialog).getByRole("button", { name: "Redrive the run" }));

  expect(changes(asked)).toEqual([["POST", `/v1/runs/${RUN_ID}/redrive`, { payload: null }]]);
});

test("a job that its failures paused is resumed", async () => {
  const user = userEvent.setup();
  const paused = decision({ kind: "paused_job" });
  const path = `/v1/jobs/${paused.latest[0]?.job_id ?? ""}/resume`;
  const { asked } = open([paused], { [`POST ${path}`]: {} });
  await user.click(await screen.findByRole("button", { name: /^Resume report/ }));
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("checkbox", { name: "Catch up" }));
  await user.click(within(dialog).getByRole("button", { name: "Resume the job" }));

  expect(changes(asked)).toEqual([["POST", path, { catch_up: true }]]);
});

test("a role that may not operate sees the actions disabled", async () => {
  open([decision()], {}, VIEWER);

  for (const name of ["Redrive all", "Discard all", /^Redrive report/]) {
    expect(isDisabled(await screen.findByRole("button", { name }))).toBe(true);
  }
});

test("a refusal is shown with its request id", async () => {
  open([], { "GET /v1/decisions": () => refusal(503, "unavailable") });

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});

test("permanent failures of a cause are counted, then redriven by their filter", async () => {
  const user = userEvent.setup();
  const { asked } = open([decision({ kind: "failed_run", reason: "permanent", error_code: "http_404" })], {
    "GET /v1/runs": {
      items: [failedRun({ state: "failed", reason: "permanent" })],
      next_cursor: null,
      complete: true,
      left_out: null,
    },
    "POST /v1/runs/redrive": OPERATION,
  });
  await user.click(await screen.findByRole("button", { name: "Redrive all" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("button", { name: "Redrive 1" }));
  await screen.findByText("another page");

  expect(screen.queryByRole("button", { name: "Discard all" })).toBeNull();
  expect(changes(asked)).toEqual([
    [
      "POST",
      "/v1/runs/redrive",
      {
        filter: {
          state: ["failed", "timed_out"],
          from: "2026-11-14T07:00:00.000Z",
          reason: "permanent",
          error_code: "http_404",
        },
      },
    ],
  ]);
});
