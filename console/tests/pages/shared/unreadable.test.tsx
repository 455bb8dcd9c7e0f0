import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ComponentType } from "react";
import { expect, test } from "vitest";

import KeysPage from "../../../src/pages/api_keys/KeysPage";
import { DagRunGrid } from "../../../src/pages/dag_runs/DagRunGrid";
import DagsPage from "../../../src/pages/dags/DagsPage";
import EventTriggersPage from "../../../src/pages/events/EventTriggersPage";
import JobTimes from "../../../src/pages/job_times/JobTimes";
import JobAudit from "../../../src/pages/jobs/JobAudit";
import JobRuns from "../../../src/pages/jobs/JobRuns";
import { JobsPage } from "../../../src/pages/jobs/JobsPage";
import OperationsPage from "../../../src/pages/operations/OperationsPage";
import { OverviewPage } from "../../../src/pages/overview/OverviewPage";
import { CalendarsTable } from "../../../src/pages/restrictions/CalendarsTable";
import RestrictionsPage from "../../../src/pages/restrictions/RestrictionsPage";
import { RuleMessages } from "../../../src/pages/rules/RuleMessages";
import RulesPage from "../../../src/pages/rules/RulesPage";
import AuditPage from "../../../src/pages/tenants/AuditPage";
import TenantsPage from "../../../src/pages/tenants/TenantsPage";
import { show } from "../../support/page";
import { HOSTILE, job } from "../../support/samples";
import { example } from "../job_form/samples";

const dag = { dag_id: "d", tasks: [] } as never;
const ADMIN = ["timegate/admin", "timegate/read"];
const PAGES: [string, ComponentType, string, string][] = [
  ["jobs", JobsPage, "/v1/jobs", "job_ids"],
  ["the runs of a job", () => <JobRuns jobId="j" />, "/v1/jobs/j/runs", "run_ids"],
  ["the times of a job", () => <JobTimes jobId="j" />, "/v1/jobs/j/runs", "run_ids"],
  ["the changes of a job", () => <JobAudit jobId="j" />, "/v1/jobs/j/audit", "names"],
  ["DAGs", DagsPage, "/v1/dags", "dag_ids"],
  ["the runs of a DAG", () => <DagRunGrid dag={dag} />, "/v1/dags/d/runs", "names"],
  ["operations", OperationsPage, "/v1/operations", "names"],
  ["event triggers", EventTriggersPage, "/v1/event-triggers", "names"],
  ["calendars", CalendarsTable, "/v1/calendars", "names"],
  ["freezes", RestrictionsPage, "/v1/freezes", "names"],
  ["rules", RulesPage, "/v1/notification-rules", "names"],
  ["the messages of a rule", () => <RuleMessages name="r" />, "/v1/notification-rules/r/messages", "names"],
  ["API keys", KeysPage, "/v1/keys", "names"],
  ["the audit trail", AuditPage, "/v1/audit", "names"],
  ["tenants", TenantsPage, "/v1/tenants", "names"],
];

const HELD = example("get", "/v1/notification-rules/{rule}/messages") as { held: object };
const damaged = (kind: string, names: string[]) => ({ ...HELD, items: [], next_cursor: null, damaged: { count: names.length, [kind]: names } });

test.each(PAGES)("names what cannot be read among %s, and does not call them empty", async (_, Page, path, kind) => {
  const scopes = path === "/v1/tenants" ? ADMIN : [...ADMIN, "timegate/write", "timegate/operate"];
  const query = path === "/v1/audit" ? "/audit" : "/";
  show(<Page />, { [`GET ${path}`]: damaged(kind, [HOSTILE]) }, { path: query, scopes });

  expect(await screen.findByText(HOSTILE)).toBeTruthy();
  expect(screen.getByText(/^One record of these .* cannot be read, and is left out$/)).toBeTruthy();
  expect(screen.queryByText(/No (?!run has been measured).* yet|There are no|has no runs|has not run|was no freeze|Nothing is frozen/)).toBeNull();
});

test("keeps the names of a page beside those of the pages after it, and of pages that it read over", async () => {
  const pages: Record<string, object> = {
    first: { ...damaged("job_ids", ["one", "two"]), next_cursor: "second" },
    second: { items: [job()], next_cursor: "third", damaged: { count: 0, job_ids: [] } },
    third: { ...damaged("job_ids", ["two", "three"]) },
  };
  const answer = ({ query }: { query: URLSearchParams }) => pages[query.get("cursor") ?? "first"];
  show(<JobsPage />, { "GET /v1/jobs": answer }, { path: "/jobs" });
  await screen.findByText("2 records of these jobs cannot be read, and are left out");
  await userEvent.click(await screen.findByRole("button", { name: "Show more jobs" }));

  expect(await screen.findByText("3 records of these jobs cannot be read, and are left out")).toBeTruthy();
});

test("lists ten names, and counts the rest", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `job-${index}`);
  show(<JobsPage />, { "GET /v1/jobs": damaged("job_ids", names) }, { path: "/jobs" });

  expect(await screen.findByText("and 2 more.")).toBeTruthy();
  expect(screen.queryByText("job-10")).toBeNull();
});

test("says before an operation which jobs it cannot read", async () => {
  const found = { items: [job()], next_cursor: null, damaged: { count: 1, job_ids: ["broken"] } };
  show(<JobsPage />, { "GET /v1/jobs": found }, { path: "/jobs?name=report" });
  await screen.findByText("broken");
  await userEvent.click(screen.getByText("Pause all that match"));
  const dialog = within(await screen.findByRole("dialog"));

  expect(await dialog.findByText("As things are now, 1 job matches.")).toBeTruthy();
  expect(dialog.getByText("broken")).toBeTruthy();
});

test("says that a forecast counts no job that cannot be read", async () => {
  const forecast = example("get", "/v1/forecast") as { jobs: object };
  const known = { ...forecast, jobs: { ...forecast.jobs, damaged: 2 } };
  show(<OverviewPage />, { "GET /v1/overview": example("get", "/v1/overview"), "GET /v1/forecast": known });

  expect(await screen.findByText(/2 jobs cannot be read, and are not counted\./)).toBeTruthy();
});
