import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import DagPage from "../../../src/pages/dags/DagPage";
import DagsPage from "../../../src/pages/dags/DagsPage";
import EditDagPage from "../../../src/pages/dags/EditDagPage";
import type { Schemas } from "../../../src/kit";
import { DAG_ID, DAG_RUN_ID, dag, dagRun, HOSTILE, JOB_ID } from "../../support/answers";
import { type Asked, refusal } from "../../support/page";
import {
  changes,
  expectAccessible,
  expectOnlyText,
  isDisabled,
  renderPage,
  VIEWER,
} from "../../support/renderPage";

vi.mock("../../../src/pages/dags/layout", () => ({
  layOut: () => Promise.resolve(new Map()),
}));

const RUN = dagRun();

function open(query = "", more: object = {}, scopes?: string[]) {
  return renderPage({
    Page: DagPage,
    route: "/dags/:dag_id",
    url: `/dags/${DAG_ID}${query}`,
    answers: {
      [`GET /v1/dags/${DAG_ID}`]: dag(),
      [`GET /v1/dags/${DAG_ID}/runs`]: { items: [RUN], next_cursor: null },
      [`GET /v1/dags/${DAG_ID}/versions`]: {
        items: [dag(), dag({ version: 1 })],
        next_cursor: null,
      },
      [`GET /v1/dags/${DAG_ID}/versions/1`]: dag({ version: 1 }),
      [`GET /v1/dag-runs/${DAG_RUN_ID}`]: RUN,
      ...more,
    },
    ...(scopes === undefined ? {} : { scopes }),
  });
}

test("DAGs are listed, as text", async () => {
  const page = renderPage({
    Page: DagsPage,
    route: "/dags",
    url: "/dags",
    answers: { "GET /v1/dags": { items: [dag()], next_cursor: null } },
  });

  expect((await screen.findByRole("link", { name: /nightly/ })).getAttribute("href")).toBe(
    `/dags/${DAG_ID}`,
  );
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("an empty list says how the first DAG is created", async () => {
  renderPage({
    Page: DagsPage,
    route: "/dags",
    url: "/dags",
    answers: { "GET /v1/dags": { items: [], next_cursor: null } },
  });

  expect(await screen.findByText(/timegate dags create/)).toBeTruthy();
});

test("runs are a grid: each cell says the state of a task, and opens it", async () => {
  const page = open();
  const cell = await screen.findByRole("link", { name: "load: failed (permanent)" });

  expect(cell.getAttribute("href")).toBe(`/dag-runs/${DAG_RUN_ID}?view=tasks&task=load`);
  expectOnlyText(page);
  await expectAccessible(page.container);
});

test("the definition of an older version is shown", async () => {
  const page = open("?view=definition&version=1");

  expect((await screen.findByRole("group", { name: "Definition" })).textContent).toContain("load");
  expect(page.asked.some(({ path }) => path.endsWith("/versions/1"))).toBe(true);
  expectOnlyText(page);
});

test("versions beyond the first page are read when they are asked for", async () => {
  const versions = ({ query }: Asked) =>
    query.has("cursor")
      ? { items: [dag({ version: 1 })], next_cursor: null }
      : { items: [dag()], next_cursor: "more" };
  const page = open("?view=definition", {
    [`GET /v1/dags/${DAG_ID}/versions`]: versions,
    [`GET /v1/dags/${DAG_ID}/versions/${dag().version}`]: dag(),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Show more versions" }));
  await waitFor(() => {
    expect(screen.queryByRole("button", { name: "Show more versions" })).toBeNull();
  });

  expect(page.asked.map(({ query }) => query.get("cursor"))).toContain("more");
});

test("a run is started with parameters that are an object", async () => {
  const user = userEvent.setup();
  const { asked } = open("", { [`POST /v1/dags/${DAG_ID}/runs`]: RUN });
  await user.click(await screen.findByRole("button", { name: "Start a run" }));
  const dialog = await screen.findByRole("dialog");
  const editor = within(dialog).getByRole("textbox", { name: "Parameters" });
  await user.clear(editor);
  await user.type(editor, "3");

  expect(within(dialog).getByText(/Parameters are an object/)).toBeTruthy();
  expect(isDisabled(within(dialog).getByRole("button", { name: "Start the run" }))).toBe(true);

  await user.clear(editor);
  await user.type(editor, '{{"day": "2026-11-21"}');
  await user.click(within(dialog).getByRole("button", { name: "Start the run" }));

  expect(changes(asked)).toEqual([
    ["POST", `/v1/dags/${DAG_ID}/runs`, { parameters: { day: "2026-11-21" } }],
  ]);
  expect(await screen.findByText("another page")).toBeTruthy();
});

test("a role that may not operate, and a deleted DAG, start nothing", async () => {
  const seen = open("", {}, VIEWER);
  expect(isDisabled(await screen.findByRole("button", { name: "Start a run" }))).toBe(true);
  seen.unmount();

  open("", { [`GET /v1/dags/${DAG_ID}`]: dag({ status: "deleted" }) });
  expect(isDisabled(await screen.findByRole("button", { name: "Start a run" }))).toBe(true);
});

test("a refusal is shown with its request id", async () => {
  open("", { [`GET /v1/dags/${DAG_ID}`]: () => refusal(404, "dag_not_found") });

  expect(await screen.findByText(/request r-1/)).toBeTruthy();
});

const FOLLOWED = {
  schedule: { kind: "cron", cron: "0 2 * * *", timezone: "Europe/Berlin" },
  notifications: [{ type: "sns", topic_arn: `arn:${HOSTILE}`, on: ["failed", "timed_out"] }],
  then: [{ job_id: JOB_ID, on: ["succeeded"], payload: "own" }],
  job_id: JOB_ID,
} as unknown as Partial<Schemas["Dag"]>;

test("a DAG says when its runs start, who is told of their ends, and what follows", async () => {
  const page = open("?view=graph", { [`GET /v1/dags/${DAG_ID}`]: dag(FOLLOWED) });

  expect(await screen.findByText(/0 2 \* \* \* Europe\/Berlin/)).toBeTruthy();
  expect(screen.getByText(/sns arn:.* on failed, timed out/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "its job" }).getAttribute("href")).toBe(`/jobs/${JOB_ID}`);
  expect(screen.getByText(/once succeeded/)).toBeTruthy();
  expectOnlyText(page);
});

test("the form of a DAG changes what was edited alone, of the version that was read", async () => {
  const user = userEvent.setup();
  const page = renderPage({
    Page: EditDagPage,
    route: "/dags/:dag_id/edit",
    url: `/dags/${DAG_ID}/edit`,
    answers: { [`GET /v1/dags/${DAG_ID}`]: dag(FOLLOWED), [`PATCH /v1/dags/${DAG_ID}`]: dag() },
  });
  const save = await screen.findByRole("button", { name: "Save as version 3" });
  await user.click(save);
  expect(changes(page.asked)).toEqual([]);
  expectOnlyText(page);
  await expectAccessible(page.container);
  fireEvent.change(screen.getByDisplayValue("0 2 * * *"), { target: { value: "0 3 * * *" } });
  await user.click(save);
  await screen.findByText("another page");
  const [patch] = page.asked.filter(({ method }) => method === "PATCH");

  expect(patch?.headers.get("If-Match")).toBe('"2"');
  expect(patch?.body).toEqual({ schedule: { kind: "cron", cron: "0 3 * * *", timezone: "Europe/Berlin" } });
});

test("a schedule is taken away from a DAG by choosing none", async () => {
  const user = userEvent.setup();
  const { asked } = renderPage({
    Page: EditDagPage,
    route: "/dags/:dag_id/edit",
    url: `/dags/${DAG_ID}/edit`,
    answers: { [`GET /v1/dags/${DAG_ID}`]: dag(FOLLOWED), [`PATCH /v1/dags/${DAG_ID}`]: dag() },
  });
  await user.click(await screen.findByRole("button", { name: /Schedule kind/ }));
  await user.click(await screen.findByRole("option", { name: "None" }));
  await user.click(screen.getByRole("button", { name: "Save as version 3" }));
  await screen.findByText("another page");

  expect(changes(asked)).toEqual([["PATCH", `/v1/dags/${DAG_ID}`, { schedule: null }]]);
});

test("a DAG whose tasks are no JSON is not stored with those it had before", async () => {
  const user = userEvent.setup();
  const { asked } = renderPage({
    Page: EditDagPage,
    route: "/dags/:dag_id/edit",
    url: `/dags/${DAG_ID}/edit`,
    answers: { [`GET /v1/dags/${DAG_ID}`]: dag(FOLLOWED), [`PATCH /v1/dags/${DAG_ID}`]: dag() },
  });
  fireEvent.change(await screen.findByDisplayValue("0 2 * * *"), { target: { value: "0 3 * * *" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Tasks" }), { target: { value: '[{"key": "only"},]' } });
  await user.click(screen.getByRole("button", { name: "Save as version 3" }));

  expect(await screen.findByText("It cannot be stored so.")).toBeTruthy();
  expect(changes(asked)).toEqual([]);
});

test("a DAG is created once, from tasks that are written as JSON", async () => {
  const user = userEvent.setup();
  const { asked } = renderPage({
    Page: EditDagPage,
    route: "/dags/+new",
    url: "/dags/+new",
    answers: { "POST /v1/dags": dag() },
  });
  fireEvent.change(await screen.findByLabelText("Name"), { target: { value: "load" } });
  fireEvent.change(screen.getByRole("textbox", { name: "Edges" }), { target: { value: "[]" } });
  await user.click(screen.getByRole("button", { name: "Create the DAG" }));
  await screen.findByText("another page");
  const [post] = asked.filter(({ method }) => method === "POST");

  expect(post?.headers.get("Idempotency-Key")).toBeTruthy();
  expect(post?.body).toMatchObject({ name: "load", edges: [], tasks: [{ key: "first" }, { key: "second" }] });
});
