import { act, createEvent, fireEvent, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";

import { DagRunGrid } from "../../../src/pages/dag_runs/DagRunGrid";
import type * as Picture from "../../../src/pages/dags/picture";
import { DAG_ID, DAG_RUN_ID, dag, dagRun } from "../../support/answers";
import { show } from "../../support/page";

const drawn = vi.hoisted(() => ({ cells: 0 }));

vi.mock("../../../src/pages/dags/picture", async (actual) => {
  const picture = await actual<typeof Picture>();
  return {
    ...picture,
    signOf: (state: string | null) => {
      drawn.cells += 1;
      return picture.signOf(state);
    },
  };
});

const FIRST = dagRun();
const SECOND = { ...FIRST, dag_run_id: `${DAG_RUN_ID.slice(0, 25)}b` };
const TASKS = FIRST.tasks.length;

function open() {
  const rows = { items: [FIRST], next_cursor: null };
  const shown = show(<DagRunGrid dag={dag()} />, {
    [`GET /v1/dags/${DAG_ID}/runs`]: () => ({ ...rows, items: [...rows.items] }),
    [`GET /v1/dag-runs/${DAG_RUN_ID}`]: FIRST,
    [`GET /v1/dag-runs/${SECOND.dag_run_id}`]: SECOND,
  });
  return { ...shown, rows };
}

const cells = () => screen.findAllByRole("link", { name: /: / });

it("draws the cells of a run that is added, and no other anew", async () => {
  const { queries, rows } = open();
  expect(await cells()).toHaveLength(TASKS);
  const before = drawn.cells;
  rows.items.push(SECOND);
  await act(() => queries.invalidateQueries());
  await vi.waitFor(async () => {
    expect(await cells()).toHaveLength(2 * TASKS);
  });

  expect(drawn.cells - before).toBe(TASKS);
});

it.each([
  ["opens a task where its cell is clicked", {}, `/dag-runs/${DAG_RUN_ID}`],
  ["leaves a click for a tab of its own to the browser", { ctrlKey: true }, "/"],
])("%s", async (_, keys, path) => {
  open();
  const [cell = document.body] = await cells();
  const click = createEvent.click(cell, { button: 0, ...keys });
  fireEvent(cell, click);

  expect(click.defaultPrevented).toBe(path !== "/");
  expect(location.pathname).toBe(path);
});
