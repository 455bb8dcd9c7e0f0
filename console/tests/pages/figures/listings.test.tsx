import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType, JSX } from "react";
import { expect, test, vi } from "vitest";

import { JobsPage } from "../../../src/pages/jobs/JobsPage";
import AllRunsPage from "../../../src/pages/run_lists/AllRunsPage";
import FailedRunsPage from "../../../src/pages/run_lists/FailedRunsPage";
import { failedRun } from "../../support/answers";
import { renderPage } from "../../support/renderPage";
import { job } from "../../support/samples";

type Listed = (props: object) => JSX.Element;

const counted = vi.hoisted(() => ({ renders: 0 }));

vi.mock("../../../src/pages/shared/listing/ListedTable", async (original) => {
  const { ListedTable } = await original<{ ListedTable: Listed }>();
  return {
    ListedTable: (props: object) => {
      counted.renders += 1;
      return <ListedTable {...props} />;
    },
  };
});

const RUNS = { items: [failedRun()], next_cursor: null, complete: true, left_out: "" };
const PAGES: [string, ComponentType, string, object, string][] = [
  ["jobs", JobsPage, "/jobs?name=report", { "GET /v1/jobs": { items: [job()], next_cursor: null } }, "Pause all that match"],
  ["failed runs", FailedRunsPage, "/runs?since=all", { "GET /v1/runs": RUNS }, "Redrive all that match"],
  ["all runs", AllRunsPage, "/runs/all?since=all&name=report", { "GET /v1/runs": RUNS }, "Cancel pending that match"],
];

test.each(PAGES)("a question opens above %s, and no row is rendered anew", async (_, Page, url, answers, action) => {
  renderPage({ Page, route: url.split("?")[0] ?? "", url, answers: { ...answers } });
  await screen.findByRole("row", { name: /report/ });
  await screen.findByRole("combobox", { name: /^Filter/ });
  const before = counted.renders;
  await userEvent.click(screen.getByText(action));
  const dialog = await screen.findByRole("dialog");
  await userEvent.keyboard("{Escape}");

  expect(dialog).toBeTruthy();
  expect(before).toBeGreaterThan(0);
  expect(counted.renders).toBe(before);
});
