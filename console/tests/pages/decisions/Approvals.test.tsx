import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import type { Schemas } from "../../../src/kit";
import DecisionsPage from "../../../src/pages/decisions/DecisionsPage";
import { approvalGroup, waitingApproval } from "../../support/answers";
import { type Asked, held, refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

const FIRST = waitingApproval();
const SECOND = waitingApproval({ dag_run_id: "b".repeat(26), round: 3 });
const decidePath = (each: Schemas["WaitingApproval"]) =>
  `/v1/dag-runs/${each.dag_run_id}/tasks/${each.task_key}/decide`;

function open(more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: DecisionsPage,
    route: "/decisions",
    url: "/decisions",
    answers: {
      "GET /v1/decisions": {
        since: "2026-11-14T07:00:00.000Z",
        read: 0,
        is_partial: false,
        groups: [],
        approvals: [approvalGroup()],
        approvals_are_partial: true,
      },
      "GET /v1/approvals": { items: [FIRST, SECOND], next_cursor: null },
      ...more,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("approvals of a task are shown with their DAG runs", async () => {
  const page = open();

  expect(await screen.findByText(/Waits for approval: release/)).toBeTruthy();
  expect(screen.getByText(/there are more/)).toBeTruthy();
  expect(screen.getByRole("link", { name: FIRST.dag_run_id })).toBeTruthy();
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("a DAG whose name turns what follows keeps its task and its count in place", async () => {
  const groups = { since: "2026-11-14T07:00:00.000Z", read: 0, is_partial: false, groups: [], approvals_are_partial: false };
  open({ "GET /v1/decisions": { ...groups, approvals: [approvalGroup({ dag_name: "\u202erelease" })] } });

  expect(await screen.findByText("Waits for approval: release, gate")).toBeTruthy();
});

test("all are decided in the rounds in which they were listed, with the note", async () => {
  const user = userEvent.setup();
  const { asked } = open({ [`POST ${decidePath(FIRST)}`]: {}, [`POST ${decidePath(SECOND)}`]: {} });
  await user.click(await screen.findByRole("button", { name: "Approve all" }));
  const dialog = await screen.findByRole("dialog");

  expect(await within(dialog).findByText(/2 approvals are meant/)).toBeTruthy();
  expect(changes(asked)).toEqual([]);

  await user.type(within(dialog).getByRole("textbox", { name: /Note/ }), "go");
  await user.click(within(dialog).getByRole("button", { name: "Approve 2" }));
  await screen.findByRole("button", { name: "Approve all" });

  expect(changes(asked)).toEqual([
    ["POST", decidePath(FIRST), { decision: "approve", round: 1, note: "go" }],
    ["POST", decidePath(SECOND), { decision: "approve", round: 3, note: "go" }],
  ]);
});

test("one that is refused is named, and the others are decided", async () => {
  const user = userEvent.setup();
  let waiting = [FIRST, SECOND];
  const { asked } = open({
    "GET /v1/approvals": () => ({ items: waiting, next_cursor: null }),
    [`POST ${decidePath(FIRST)}`]: () => {
      waiting = [];
      return refusal(409, "task_ended");
    },
    [`POST ${decidePath(SECOND)}`]: {},
  });
  await user.click(await screen.findByRole("button", { name: "Reject all" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("button", { name: "Reject 2" }));

  expect(await within(dialog).findByText("1 decided, 1 refused")).toBeTruthy();
  expect(changes(asked)).toHaveLength(2);
});

test("a role that may not operate sees the actions disabled", async () => {
  open({}, VIEWER);

  for (const name of ["Approve all", "Reject all"]) {
    expect(isDisabled(await screen.findByRole("button", { name }))).toBe(true);
  }
});

test("a decision whose answer was lost is none that is refused when it is sent again", async () => {
  const user = userEvent.setup();
  const done = new Set<string>();
  let isAway = true;
  const once = ({ headers }: Asked) => {
    const key = headers.get("Idempotency-Key") ?? crypto.randomUUID();
    if (done.size > 0 && !done.has(key)) return refusal(409, "task_ended");
    done.add(key);
    return {};
  };
  open({
    [`POST ${decidePath(FIRST)}`]: once,
    [`POST ${decidePath(SECOND)}`]: () => (isAway ? refusal(503, "throttled") : {}),
  });
  await user.click(await screen.findByRole("button", { name: "Approve all" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("button", { name: "Approve 2" }));
  await within(dialog).findByText(/It may have been done all the same/);
  isAway = false;
  await user.click(within(dialog).getByRole("button", { name: "Approve 2" }));
  await waitFor(() => {
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  expect([...done]).toHaveLength(1);
});

test("a person who goes back while they are decided leaves the rest alone", async () => {
  const user = userEvent.setup();
  const first = held();
  const { asked } = open({ [`POST ${decidePath(FIRST)}`]: () => first.answer, [`POST ${decidePath(SECOND)}`]: {} });
  await user.click(await screen.findByRole("button", { name: "Approve all" }));
  const dialog = await screen.findByRole("dialog");
  await user.click(await within(dialog).findByRole("button", { name: "Approve 2" }));
  await waitFor(() => {
    expect(changes(asked)).toHaveLength(1);
  });
  await user.click(within(dialog).getByRole("button", { name: "Back" }));
  const read = asked.length;
  first.resolve({});
  await waitFor(() => {
    expect(asked.length).toBeGreaterThan(read);
  });

  expect(changes(asked).map(([, path]) => path)).toEqual([decidePath(FIRST)]);
});
