import { type ComponentType, lazy } from "react";

/** One page of the console: its route, its chunk, and its place in the navigation. */
export interface PageEntry {
  /** Path of the route; parts after a colon are parameters. */
  path: string;
  title: string;
  /** Heading in the navigation; a page without one is reached from others. */
  section?: "Work" | "Operate" | "Stage";
  /** Path of the page in the navigation that it belongs to, where its own does not begin with that. */
  under?: string;
  Page: ComponentType;
}

/** Every page, in the order of the navigation; routes, side bar and command palette follow. */
export const PAGES: readonly PageEntry[] = [
  {
    path: "/",
    title: "Overview",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/overview/OverviewPage")).OverviewPage })),
  },
  {
    path: "/jobs",
    title: "Jobs",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/jobs/JobsPage")).JobsPage })),
  },
  {
    path: "/jobs/new",
    title: "Create a job",
    Page: lazy(async () => ({ default: (await import("../pages/job_form/NewJobPage")).NewJobPage })),
  },
  {
    path: "/jobs/:job_id/edit",
    title: "Edit a job",
    Page: lazy(async () => ({ default: (await import("../pages/job_form/EditJobPage")).EditJobPage })),
  },
  {
    path: "/jobs/:jobId",
    title: "Job",
    Page: lazy(async () => ({ default: (await import("../pages/jobs/JobPage")).JobPage })),
  },
  {
    path: "/why",
    title: "Why did it not run?",
    section: "Work",
    Page: lazy(async () => ({ default: (await import("../pages/ledger/WhyPage")).WhyPage })),
  },
  {
    path: "/runs",
    title: "Failed runs",
    section: "Work",
    Page: lazy(() => import("../pages/run_lists/FailedRunsPage")),
  },
  {
    path: "/runs/all",
    title: "All runs",
    section: "Work",
    Page: lazy(() => import("../pages/run_lists/AllRunsPage")),
  },
  {
    path: "/runs/archived",
    title: "Archived runs",
    section: "Work",
    Page: lazy(() => import("../pages/archive/ArchivedRunsPage")),
  },
  {
    path: "/runs/archived/:run_id",
    title: "Archived run",
    Page: lazy(() => import("../pages/archive/ArchivedRunPage")),
  },
  {
    path: "/runs/:run_id",
    title: "Run",
    Page: lazy(() => import("../pages/runs/RunPage")),
  },
  {
    path: "/seals",
    title: "Sealed months",
    section: "Work",
    Page: lazy(() => import("../pages/seals/SealedMonthsPage")),
  },
  {
    path: "/seals/:month",
    title: "Sealed month",
    Page: lazy(() => import("../pages/seals/SealedMonthPage")),
  },
  {
    path: "/dags",
    title: "DAGs",
    section: "Work",
    Page: lazy(() => import("../pages/dags/DagsPage")),
  },
  {
    path: "/dags/+new",
    title: "Create a DAG",
    Page: lazy(() => import("../pages/dags/EditDagPage")),
  },
  {
    path: "/dags/:dag_id/edit",
    title: "Edit a DAG",
    Page: lazy(() => import("../pages/dags/EditDagPage")),
  },
  {
    path: "/dags/:dag_id",
    title: "DAG",
    Page: lazy(() => import("../pages/dags/DagPage")),
  },
  {
    path: "/dag-runs/:dag_run_id",
    title: "DAG run",
    under: "/dags",
    Page: lazy(() => import("../pages/dag_runs/DagRunPage")),
  },
  {
    path: "/decisions",
    title: "Needs a decision",
    section: "Operate",
    Page: lazy(() => import("../pages/decisions/DecisionsPage")),
  },
  {
    path: "/pools",
    title: "Workers and pools",
    section: "Operate",
    Page: lazy(() => import("../pages/pools/PoolsPage")),
  },
  {
    path: "/pools/:pool",
    title: "Pool",
    Page: lazy(() => import("../pages/pools/PoolPage")),
  },
  {
    path: "/calendars",
    title: "Calendars and freezes",
    section: "Operate",
    Page: lazy(() => import("../pages/restrictions/RestrictionsPage")),
  },
  {
    path: "/calendars/:calendar",
    title: "Calendar",
    Page: lazy(() => import("../pages/restrictions/CalendarPage")),
  },
  {
    path: "/rules",
    title: "Notification rules",
    section: "Operate",
    Page: lazy(() => import("../pages/rules/RulesPage")),
  },
  {
    path: "/rules/+new",
    title: "Create a rule",
    Page: lazy(() => import("../pages/rules/EditRulePage")),
  },
  {
    path: "/rules/:rule/edit",
    title: "Edit a rule",
    Page: lazy(() => import("../pages/rules/EditRulePage")),
  },
  {
    path: "/rules/:rule",
    title: "Notification rule",
    Page: lazy(() => import("../pages/rules/RulePage")),
  },
  {
    path: "/event-triggers",
    title: "Event triggers",
    section: "Operate",
    Page: lazy(() => import("../pages/events/EventTriggersPage")),
  },
  {
    path: "/event-triggers/+new",
    title: "Create a trigger",
    Page: lazy(() => import("../pages/events/EditEventTriggerPage")),
  },
  {
    path: "/event-triggers/+send",
    title: "Send an event",
    Page: lazy(() => import("../pages/events/SendEventPage")),
  },
  {
    path: "/event-triggers/:event_trigger/edit",
    title: "Edit a trigger",
    Page: lazy(() => import("../pages/events/EditEventTriggerPage")),
  },
  {
    path: "/event-triggers/:event_trigger",
    title: "Event trigger",
    Page: lazy(() => import("../pages/events/EventTriggerPage")),
  },
  {
    path: "/operations",
    title: "Operations",
    section: "Operate",
    Page: lazy(() => import("../pages/operations/OperationsPage")),
  },
  {
    path: "/operations/:operation_id",
    title: "Operation",
    Page: lazy(() => import("../pages/operations/OperationPage")),
  },
  {
    path: "/tenant",
    title: "Quotas and use",
    section: "Stage",
    Page: lazy(() => import("../pages/tenants/OwnTenantPage")),
  },
  {
    path: "/keys",
    title: "API keys",
    section: "Stage",
    Page: lazy(() => import("../pages/api_keys/KeysPage")),
  },
  {
    path: "/costs",
    title: "Costs",
    section: "Stage",
    Page: lazy(() => import("../pages/costs/CostsPage")),
  },
  {
    path: "/audit",
    title: "Audit trail",
    section: "Stage",
    Page: lazy(() => import("../pages/tenants/AuditPage")),
  },
  {
    path: "/health",
    title: "Health and alarms",
    section: "Stage",
    Page: lazy(() => import("../pages/health/HealthPage")),
  },
  {
    path: "/tenants",
    title: "Tenants",
    section: "Stage",
    Page: lazy(() => import("../pages/tenants/TenantsPage")),
  },
  {
    path: "/tenants/:tenant",
    title: "Tenant",
    Page: lazy(() => import("../pages/tenants/TenantPage")),
  },
];

/** Pages that the navigation lists. */
export const LISTED = PAGES.filter((page) => page.section !== undefined);
