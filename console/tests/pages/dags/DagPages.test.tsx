import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import DagPage from "../../../src/pages/dags/DagPage";
import DagsPage from "../../../src/pages/dags/DagsPage";
import { DAG_ID, DAG_RUN_ID, dag, dagRun } from "../../support/answers";
import { refusal } from "../../support/page";
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
