import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";

import { Gantt } from "../../../src/pages/dag_runs/Gantt";
import { TasksTable } from "../../../src/pages/dag_runs/TasksTable";
import { nodeMaker } from "../../../src/pages/dags/nodes";
import { useRowPages } from "../../../src/pages/shared/listing/useRowPages";
import { DAG_RUN_GRAPH, DAG_RUN_ID, dagRun, GANTT } from "../../support/answers";
import { show } from "../../support/page";

const KEYS = Array.from({ length: 250 }, (_, number) => `task${number}`);
const TASKS = dagRun().tasks.slice(0, 1).flatMap((task) => KEYS.map((key) => ({ ...task, key, name: key })));
const ignore = () => undefined;

type Rows = readonly { key: string }[];

function Rows({ items, chosen }: { items: Rows; chosen: string | null }) {
  const { rows, pages } = useRowPages(items, chosen);
  return (
    <>
      {pages}
      <ol>{rows.map(({ key }) => <li key={key}>{key}</li>)}</ol>
    </>
  );
}

/** Shows rows one after the other in the same place. */
function InTurn({ each }: { each: readonly (readonly [Rows, string | null])[] }) {
  const [at, setAt] = useState(0);
  const [items, chosen] = each[at] ?? [[], null];
  return (
    <>
      <button onClick={() => { setAt(at + 1); }}>Next</button>
      <Rows items={items} chosen={chosen} />
    </>
  );
}

const next = () => fireEvent.click(screen.getByText("Next"));
const turn = (label: string) => fireEvent.click(screen.getByLabelText(label));
const drawn = () => [...document.querySelectorAll("ol li")].map(({ textContent }) => textContent);

test("pages of a hundred rows have each row once, in order", () => {
  show(<InTurn each={[[TASKS, null]]} />, {});
  const seen = [drawn()];
  turn("Tasks behind");
  seen.push(drawn());
  turn("Tasks 201 to 250");
  seen.push(drawn());

  expect(seen.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(seen.flat()).toEqual(KEYS);
  turn("Tasks before");
  expect(drawn()[0]).toBe("task100");
});

test("the page of a row that is chosen elsewhere comes into sight, and stays once it is closed", () => {
  show(<InTurn each={[[TASKS, "task120"], [TASKS, "task240"], [TASKS, null]]} />, {});
  expect(drawn()).toContain("task120");
  next();
  expect(drawn()).toContain("task240");
  next();
  expect(drawn()).toContain("task240");
});

test("a page that was turned stays with the next answer, and gives way to the last one of a shorter one", () => {
  show(<InTurn each={[[TASKS, "task0"], [[...TASKS], "task0"], [TASKS.slice(0, 120), "task0"]]} />, {});
  turn("Tasks 201 to 250");
  next();
  expect(drawn()[0]).toBe("task200");
  next();
  expect(drawn()).toEqual(KEYS.slice(100, 120));
});

test("a table draws a hundred of 250 tasks", () => {
  show(<TasksTable tasks={TASKS} edges={[]} selected={null} onSelect={ignore} />, {});

  expect(document.querySelectorAll("tbody tr")).toHaveLength(100);
});

test("a table of few tasks has no pages, and says what each waits for", () => {
  const edges = [
    { source: "task0", target: "task2", condition: "on_success" },
    { source: "task1", target: "task2", condition: "on_failure" },
  ];
  show(<TasksTable tasks={TASKS.slice(0, 3)} edges={edges} selected={null} onSelect={ignore} />, {});

  expect(screen.queryByLabelText("Tasks behind")).toBeNull();
  expect(screen.getByText("task0, task1 (on failure)")).toBeTruthy();
  expect(screen.getAllByText("nothing")).toHaveLength(2);
});

test("a chart of 250 tasks draws the hundred among which the chosen one is", async () => {
  const rows = GANTT.rows.slice(0, 1).flatMap((row) => KEYS.map((key) => ({ ...row, key, title: key })));
  show(<Gantt run={dagRun()} selected="task130" onSelect={ignore} />, { [`GET /v1/dag-runs/${DAG_RUN_ID}/gantt`]: { ...GANTT, rows } });
  const bars = (await screen.findByLabelText("Tasks over time")).querySelectorAll("button");

  expect(bars).toHaveLength(100);
  expect(bars[30]?.getAttribute("aria-pressed")).toBe("true");
});

test("a later state or note gives the graph one other node", () => {
  const make = nodeMaker(new Map(), false);
  const notes = new Map([["extract", "2 s"]]);
  const before = make(DAG_RUN_GRAPH, notes);
  const nodes = DAG_RUN_GRAPH.nodes.map((node, place) => ({ ...node, state: place === 0 ? "dead_lettered" : node.state }));
  const after = make({ ...DAG_RUN_GRAPH, nodes }, new Map(notes));
  const same = (others: typeof before) => others.map((node, place) => node === after[place]);

  expect(same(before)).toEqual(nodes.map((_, place) => place > 0));
  expect(after[0]?.data.task.state).toBe("dead_lettered");
  const last = nodes.at(-1)?.key ?? "";
  expect(same(make({ ...DAG_RUN_GRAPH, nodes }, new Map([...notes, [last, "tried twice"]])))).toEqual(nodes.map(({ key }) => key !== last));
});
