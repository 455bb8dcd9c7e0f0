import { act } from "@testing-library/react";
import type { ComponentType } from "react";
import { expect, test, vi } from "vitest";

import DagRunPage from "../../src/pages/dag_runs/DagRunPage";
import DagPage from "../../src/pages/dags/DagPage";
import DagsPage from "../../src/pages/dags/DagsPage";
import EditDagPage from "../../src/pages/dags/EditDagPage";
import EventTriggersPage from "../../src/pages/events/EventTriggersPage";
import CalendarPage from "../../src/pages/restrictions/CalendarPage";
import RestrictionsPage from "../../src/pages/restrictions/RestrictionsPage";
import EditRulePage from "../../src/pages/rules/EditRulePage";
import RulePage from "../../src/pages/rules/RulePage";
import RulesPage from "../../src/pages/rules/RulesPage";
import RunPage from "../../src/pages/runs/RunPage";
import TenantPage from "../../src/pages/tenants/TenantPage";
import TenantsPage from "../../src/pages/tenants/TenantsPage";
import {
  CALENDAR,
  DAG_ID,
  DAG_RUN_GRAPH,
  DAG_RUN_ID,
  dag,
  dagRun,
  eventTrigger,
  LOG,
  rule,
  run,
  RUN_ID,
  tenant,
} from "../support/answers";
import { ADMIN, renderPage } from "../support/renderPage";

vi.mock("../../src/pages/dags/layout", () => ({ layOut: () => Promise.resolve(new Map()) }));

const MINUTE_MS = 60_000;
const listOf = (...items: object[]) => ({ items, next_cursor: null });

/** Counts how often a page asks for its subject at first, and until a minute has passed. */
async function readings(Page: ComponentType, route: string, url: string, path: string, answers: object) {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { asked } = renderPage({ Page, route, url, answers: { ...answers }, scopes: [...ADMIN, "timegate/write"] });
  const count = (): number => asked.filter((each) => each.method === "GET" && each.path === path).length;
  await vi.waitFor(() => {
    expect(count()).toBe(1);
  });
  await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS / 2));
  const early = count();
  await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS / 2 + 1_000));
  return { early, late: count() };
}

const EVENTS = { items: [], next_cursor: null, held: { events: [], more: 0 } };
const SUBJECTS: [string, ComponentType, string, string, string, object][] = [
  ["DAG", DagPage, "/dags/:dag_id", `/dags/${DAG_ID}`, `/v1/dags/${DAG_ID}`, { [`GET /v1/dags/${DAG_ID}`]: dag(), [`GET /v1/dags/${DAG_ID}/runs`]: listOf() }],
  ["calendar", CalendarPage, "/calendars/:calendar", "/calendars/office", "/v1/calendars/office", { "GET /v1/calendars/office": CALENDAR }],
  ["tenant", TenantPage, "/tenants/:tenant", "/tenants/acme", "/v1/tenants/acme", { "GET /v1/tenants/acme": tenant() }],
  ["rule", RulePage, "/rules/:rule", "/rules/data-team", "/v1/notification-rules/data-team", { "GET /v1/notification-rules/data-team": rule(), "GET /v1/notification-rules/data-team/messages": EVENTS }],
  ["list of DAGs", DagsPage, "/dags", "/dags", "/v1/dags", { "GET /v1/dags": listOf(dag()) }],
  ["list of rules", RulesPage, "/rules", "/rules", "/v1/notification-rules", { "GET /v1/notification-rules": listOf(rule()) }],
  ["list of triggers", EventTriggersPage, "/event-triggers", "/event-triggers", "/v1/event-triggers", { "GET /v1/event-triggers": listOf(eventTrigger()) }],
  ["list of calendars", RestrictionsPage, "/calendars", "/calendars?view=calendars", "/v1/calendars", { "GET /v1/calendars": listOf(CALENDAR), "GET /v1/freezes": listOf() }],
  ["list of tenants", TenantsPage, "/tenants", "/tenants", "/v1/tenants", { "GET /v1/tenants": listOf(tenant()) }],
];

test.each(SUBJECTS)("the page of a %s is read once a minute while it is open", async (_, Page, route, url, path, answers) => {
  expect(await readings(Page, route, url, path, answers)).toEqual({ early: 1, late: 2 });
});

test("a DAG run that has ended is read once a minute: another operator may retry it", async () => {
  const path = `/v1/dag-runs/${DAG_RUN_ID}`;
  const answers = { [`GET ${path}`]: dagRun({ status: "failed" }), [`GET ${path}/graph`]: DAG_RUN_GRAPH };

  expect(await readings(DagRunPage, "/dag-runs/:dag_run_id", `/dag-runs/${DAG_RUN_ID}?view=tasks`, path, answers)).toEqual({
    early: 1,
    late: 2,
  });
});

test("a run that has ended is read once a minute: another operator may redrive it", async () => {
  const path = `/v1/runs/${RUN_ID}`;
  const answers = { [`GET ${path}`]: run({ state: "dead_lettered" }), [`GET ${path}/logs`]: LOG };

  expect(await readings(RunPage, "/runs/:run_id", `/runs/${RUN_ID}`, path, answers)).toEqual({ early: 1, late: 2 });
});

test.each<[string, ComponentType, string, string, string, object]>([
  ["DAG", EditDagPage, "/dags/:dag_id/edit", `/dags/${DAG_ID}/edit`, `/v1/dags/${DAG_ID}`, dag()],
  ["rule", EditRulePage, "/rules/:rule/edit", "/rules/data-team/edit", "/v1/notification-rules/data-team", rule()],
])("the form of a %s keeps what it opened with", async (_, Page, route, url, path, known) => {
  expect(await readings(Page, route, url, path, { [`GET ${path}`]: known })).toEqual({ early: 1, late: 1 });
});
