import { screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { expect, it } from "vitest";

import DagRunPage from "../../src/pages/dag_runs/DagRunPage";
import DagPage from "../../src/pages/dags/DagPage";
import { JobPage } from "../../src/pages/jobs/JobPage";
import RunPage from "../../src/pages/runs/RunPage";
import { dag, DAG_ID, DAG_RUN_GRAPH, DAG_RUN_ID, dagRun, LOG, run, RUN_ID } from "../support/answers";
import { renderPage } from "../support/renderPage";
import { job } from "../support/samples";

const JOB = job().job_id;
const PAGES: [string, ComponentType, string, object][] = [
  ["job", JobPage, "/jobs/:jobId", { [`GET /v1/jobs/${JOB}`]: job() }],
  ["run", RunPage, "/runs/:run_id", { [`GET /v1/runs/${RUN_ID}`]: run(), [`GET /v1/runs/${RUN_ID}/logs`]: LOG }],
  ["DAG", DagPage, "/dags/:dag_id", { [`GET /v1/dags/${DAG_ID}`]: dag() }],
  ["DAG run", DagRunPage, "/dag-runs/:dag_run_id", {
    [`GET /v1/dag-runs/${DAG_RUN_ID}`]: dagRun(),
    [`GET /v1/dag-runs/${DAG_RUN_ID}/graph`]: DAG_RUN_GRAPH,
  }],
];
const IDS = [JOB, RUN_ID, DAG_ID, DAG_RUN_ID];

it.each(PAGES.map((page, index) => [...page, IDS[index] ?? ""] as const))(
  "shows the first view of a %s whose address names one that it does not have",
  async (_, Page, route, answers, id) => {
    renderPage({ Page, route, url: `${route.replace(/:.*/, id)}?tab=old&view=old`, answers: { ...answers } });
    const tabs = await screen.findAllByRole("tab");

    expect(tabs.map((tab) => tab.getAttribute("aria-selected"))).toEqual(tabs.map((_tab, index) => String(index === 0)));
  },
);

it("asks for the current version of a DAG whose address names no number", async () => {
  const { asked } = renderPage({
    Page: DagPage,
    route: "/dags/:dag_id",
    url: `/dags/${DAG_ID}?view=definition&version=latest`,
    answers: { [`GET /v1/dags/${DAG_ID}`]: dag(), [`GET /v1/dags/${DAG_ID}/versions`]: { items: [dag()], next_cursor: null } },
  });
  await screen.findAllByRole("tab");

  expect(asked.map(({ path }) => path).filter((path) => path.includes("NaN"))).toEqual([]);
});
