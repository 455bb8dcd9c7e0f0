import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";

import DagRunPage from "../../../src/pages/dag_runs/DagRunPage";
import { layOut } from "../../../src/pages/dags/layout";
import { refusal } from "../../support/page";
import {
  expectAccessible,
  expectOnlyText,
  renderPage,
  VIEWER,
} from "../../support/renderPage";
import { DAG_RUN_GRAPH, DAG_RUN_ID, dagRun, GANTT, HOSTILE } from "../../support/answers";

const NO_EVENT = { event_type: null, correlation: null, event: null };

vi.mock("../../../src/pages/dags/layout", () => ({ layOut: vi.fn() }));

beforeEach(() => {
  vi.mocked(layOut)
    .mockReset()
    .mockImplementation((picture) =>
    Promise.resolve(new Map(picture.nodes.map(({ key }, place) => [key, { x: place * 250, y: 0 }]))),
  );
});

const BASE = `/v1/dag-runs/${DAG_RUN_ID}`;

function open(query = "", changes: object = {}, scopes?: readonly string[]) {
  return renderPage({
    Page: DagRunPage,
    route: "/dag-runs/:dag_run_id",
    url: `/dag-runs/${DAG_RUN_ID}${query}`,
    answers: {
      [`GET ${BASE}`]: dagRun(),
      [`GET ${BASE}/graph`]: DAG_RUN_GRAPH,
      [`GET ${BASE}/gantt`]: GANTT,
      ...changes,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

describe("the page of a DAG run", () => {
  test("draws the graph, and lays it out once whatever states change", async () => {
    const { container } = open();

    expect(await screen.findByRole("figure", { name: /Graph of nightly/ })).toBeTruthy();
    await waitFor(() => {
      expect(layOut).toHaveBeenCalledTimes(1);
    });
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("keeps the layout when a task is chosen, and when states change", async () => {
    const user = userEvent.setup();
    const states = ["running", "failed"] as const;
    let reads = 0;
    open("?task=load", {
      [`GET ${BASE}`]: () => dagRun({ status: "failed", tasks: dagRun().tasks.map((task) => ({ ...task, state: states[reads++ % 2] ?? "failed" })) }),
      [`POST ${BASE}/retry`]: dagRun(),
    });
    await waitFor(() => {
      expect(layOut).toHaveBeenCalledTimes(1);
    });
    await user.click(await screen.findByRole("button", { name: "Close the task" }));
    await user.click(await screen.findByRole("button", { name: "Retry what failed" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("button", { name: "Retry what failed" }));
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    expect(reads).toBeGreaterThan(4);
    expect(layOut).toHaveBeenCalledTimes(1);
  });

  test("shows the graph's states as text", async () => {
    const { container } = open();
    await screen.findByRole("figure", { name: /Graph of nightly/ });
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("says that the browser cannot draw it, and where the same is", async () => {
    vi.mocked(layOut).mockRejectedValue(new Error("no worker"));
    open();

    expect(await screen.findByText(/The table of tasks shows the same/)).toBeTruthy();
  });

  test("shows tasks as a table: state, and what each waits for", async () => {
    const { container } = open("?view=tasks");
    const table = await screen.findByRole("table", { name: "Tasks of the DAG run" });

    expect(within(table).getByText("extract (on failure)")).toBeTruthy();
    expect(within(table).getByText("8 of 10 succeeded, 2 failed")).toBeTruthy();
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("shows tasks over time, each with its times in words", async () => {
    const { container } = open("?view=gantt");

    expect(
      await screen.findByRole("button", {
        name: /^extract.*succeeded; queued from 2026-11-2\d \d\d:01:00\.000 to/,
      }),
    ).toBeTruthy();
    expect(screen.getAllByText("skipped (upstream)").length).toBeGreaterThan(0);
    expectOnlyText({ container });
    await expectAccessible(container);
  });

  test("retries what failed, after it has shown what will happen", async () => {
    const user = userEvent.setup();
    const { asked } = open("?view=tasks", { [`POST ${BASE}/retry`]: dagRun() });
    await user.click(await screen.findByRole("button", { name: "Retry what failed" }));
    const dialog = await screen.findByRole("dialog");

    expect(within(dialog).getByText(/Run again, once their edges hold \(2\)/)).toBeTruthy();
    expect(within(dialog).getByText("load, report", { exact: false })).toBeTruthy();
    expect(asked.some(({ method }) => method === "POST")).toBe(false);

    await user.click(within(dialog).getByRole("button", { name: "Retry what failed" }));

    expect(asked.some(({ path }) => path === `${BASE}/retry`)).toBe(true);
  });

  test("reruns the failed members of a task, with a reason", async () => {
    const user = userEvent.setup();
    const { asked } = open("?view=tasks&task=load", {
      [`POST ${BASE}/tasks/load/rerun`]: dagRun(),
    });
    await user.click(await screen.findByRole("button", { name: "Rerun" }));
    const dialog = await screen.findByRole("dialog");
    await user.click(within(dialog).getByRole("radio", { name: /The task/ }));
    await user.click(within(dialog).getByRole("checkbox", { name: /2 failed members/ }));
    await user.type(within(dialog).getByRole("textbox", { name: /Reason/ }), "it is back");
    await user.click(within(dialog).getByRole("button", { name: "Rerun the task" }));

    expect(asked.find(({ method }) => method === "POST")).toMatchObject({
      path: `${BASE}/tasks/load/rerun`,
      body: { scope: "task", members: "failed", reason: "it is back" },
    });
  });

  test("completes a task with a result that is JSON, and with nothing else", async () => {
    const user = userEvent.setup();
    const { asked } = open("?view=tasks&task=load", {
      [`POST ${BASE}/tasks/load/complete`]: dagRun(),
    });
    await user.click(await screen.findByRole("button", { name: "Complete" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox", { name: "Result" }), '{{"rows": 3}');
    await user.click(within(dialog).getByRole("button", { name: "Complete the task" }));

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ result: { rows: 3 } });
  });

  test("shows actions disabled to a role that may not operate", async () => {
    open("?view=tasks&task=load", {}, VIEWER);

    for (const name of ["Retry what failed", "Rerun", "Complete", "Skip"]) {
      const button = await screen.findByRole("button", { name });
      expect(button.getAttribute("aria-disabled") ?? button.hasAttribute("disabled")).toBeTruthy();
    }
  });

  test("says of whom a task waits for an approval", async () => {
    const tasks = dagRun().tasks.map((task) => ({
      ...task,
      state: "running",
      wait: { kind: "approval", until: null, approvers: ["ann", HOSTILE], ...NO_EVENT },
    }));
    const page = open("?view=tasks&task=load", { [`GET ${BASE}`]: { ...dagRun(), tasks } });

    expect(await screen.findByText("It waits for an approval")).toBeTruthy();
    expectOnlyText(page);
  });

  test("says for which event a task waits", async () => {
    const event = { ...NO_EVENT, event_type: "order.paid", correlation: HOSTILE };
    const tasks = dagRun().tasks.map((task) => ({
      ...task,
      state: "running",
      wait: { kind: "event", until: null, approvers: [], ...event },
    }));
    const page = open("?view=tasks&task=load", { [`GET ${BASE}`]: { ...dagRun(), tasks } });

    expect(await screen.findByText("It waits for an event")).toBeTruthy();
    expect(screen.getByText(/order\.paid/)).toBeTruthy();
    expectOnlyText(page);
  });

  test("is answered in the place of the event that it waits for, or sent that event", async () => {
    const user = userEvent.setup();
    const event = { ...NO_EVENT, event_type: "order.paid", correlation: "47 11" };
    const tasks = dagRun().tasks.map((task) => ({
      ...task,
      state: "running",
      wait: { kind: "event", until: null, approvers: [], ...event },
    }));
    const { asked } = open("?task=load", {
      [`GET ${BASE}`]: { ...dagRun(), tasks },
      [`POST ${BASE}/tasks/load/signal`]: {},
    });
    const link = await screen.findByRole("link", { name: "Send this event" });
    expect(link.getAttribute("href")).toBe("/event-triggers/+send?type=order.paid&key=47+11");
    await user.click(screen.getByRole("button", { name: "Answer in its place" }));
    const dialog = await screen.findByRole("dialog");
    fireEvent.change(within(dialog).getByRole("textbox", { name: "Data" }), { target: { value: '{"n": 1}' } });
    await user.click(within(dialog).getByRole("button", { name: "Give it this" }));
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({ data: { n: 1 } });
  });

  test("shows a refusal", async () => {
    open("", { [`GET ${BASE}`]: () => refusal(403, "insufficient_scope", "The token does not allow this.") });

    expect(await screen.findByText(/request r-1/)).toBeTruthy();
  });
});

describe("a task that waits for an approval", () => {
  const waiting = (approvers: string[] = []) => ({
    [`GET ${BASE}`]: dagRun({
      tasks: dagRun().tasks.map((task) =>
        task.key === "load"
          ? { ...task, state: "running", wait: { kind: "approval", until: null, approvers, ...NO_EVENT } }
          : task,
      ),
    }),
  });

  test("is approved with a note, by one request", async () => {
    const user = userEvent.setup();
    const { asked } = open("?task=load", { ...waiting(), [`POST ${BASE}/tasks/load/decide`]: {} });
    await user.click(await screen.findByRole("button", { name: "Approve" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox", { name: "Note" }), "Checked.");
    await user.click(within(dialog).getByRole("button", { name: "Approve the task" }));
    await waitFor(() => {
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    expect(asked.find(({ method }) => method === "POST")?.body).toEqual({
      decision: "approve",
      note: "Checked.",
    });
  });

  test("is given a link for a person who signs in nowhere, also by one who may not decide", async () => {
    const user = userEvent.setup();
    const link = { path: `/v1/approval?link=${HOSTILE}`, receiver: HOSTILE, expires_at: "2026-11-21T08:00:00.000Z" };
    const page = open("?task=load", { ...waiting(["another/person"]), [`POST ${BASE}/tasks/load/approval-link`]: link });
    await user.click(await screen.findByRole("button", { name: "Make a link" }));
    const dialog = await screen.findByRole("dialog");
    await user.type(within(dialog).getByRole("textbox", { name: "For" }), "ann");
    await user.click(within(dialog).getByRole("button", { name: "Make the link" }));

    expect(await within(dialog).findByText(`https://api.example.com/v1/approval?link=${HOSTILE}`)).toBeTruthy();
    expect(page.asked.find(({ method }) => method === "POST")?.body).toEqual({ receiver: "ann" });
    expectOnlyText(page);
  });

  test("is left to those whom the DAG names", async () => {
    open("?task=load", waiting(["another/person"]));
    const approve = await screen.findByRole("button", { name: /^Approve/ });

    expect(approve.getAttribute("aria-disabled")).toBe("true");
  });

  test("is decided by no role that may only look", async () => {
    open("?task=load", waiting(), VIEWER);
    const reject = await screen.findByRole("button", { name: /^Reject/ });

    expect(reject.getAttribute("aria-disabled")).toBe("true");
  });
});
