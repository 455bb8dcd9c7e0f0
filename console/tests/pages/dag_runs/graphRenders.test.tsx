import type * as Flow from "@xyflow/react";
import { act, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import DagRunPage from "../../../src/pages/dag_runs/DagRunPage";
import { renderPage } from "../../support/renderPage";
import { DAG_RUN_GRAPH, DAG_RUN_ID, dagRun } from "../../support/answers";

const drawn = vi.hoisted(() => ({ props: [] as Flow.ReactFlowProps[] }));

vi.mock("../../../src/pages/dags/layout", () => ({
  layOut: ({ nodes }: { nodes: { key: string }[] }) => Promise.resolve(new Map(nodes.map(({ key }) => [key, { x: 0, y: 0 }]))),
}));
vi.mock("@xyflow/react", async (actual) => ({
  ...(await actual<typeof Flow>()),
  ReactFlow: (props: Flow.ReactFlowProps) => {
    drawn.props.push(props);
    return null;
  },
}));

test("choosing a task gives the graph one other node, and nothing else that is new", async () => {
  renderPage({
    Page: DagRunPage,
    route: "/dag-runs/:dag_run_id",
    url: `/dag-runs/${DAG_RUN_ID}`,
    answers: { [`GET /v1/dag-runs/${DAG_RUN_ID}`]: dagRun(), [`GET /v1/dag-runs/${DAG_RUN_ID}/graph`]: DAG_RUN_GRAPH },
  });
  await waitFor(() => { expect(drawn.props.length).toBeGreaterThan(0); });
  const before = drawn.props.at(-1);
  const chosen = before?.nodes?.[0];
  act(() => { before?.onNodeClick?.({} as never, chosen as never); });
  await screen.findByRole("button", { name: "Close the task" });
  const after = drawn.props.at(-1);
  const others = (of: typeof after) => of?.nodes?.filter(({ id }) => id !== chosen?.id) ?? [];

  expect(after?.nodes?.find(({ id }) => id === chosen?.id)?.selected).toBe(true);
  expect(others(after).length).toBeGreaterThan(0);
  expect(others(after).every((node, place) => node === others(before)[place])).toBe(true);
  for (const name of ["edges", "fitViewOptions", "onNodeClick", "onPaneClick", "onNodesChange"] as const) {
    expect(after?.[name]).toBe(before?.[name]);
  }
});
