import Box from "@cloudscape-design/components/box";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";
import { lazy, type ReactNode, Suspense } from "react";

import {
  CopiedId,
  Instant,
  isolated,
  Live,
  Page,
  readAll,
  Said,
  SameByCommand,
  type Schemas,
  Skeleton,
  useApi,
  useLive,
  useRouteParam,
  useView,
} from "../../kit";
import { LedgerGrid } from "../ledger/LedgerGrid";
import { JsonText } from "../shared/json/JsonText";
import { command, request, shellWord } from "../shared/quoting";
import { State } from "../shared/State";
import { Told } from "../shared/Told";
import { JobActions } from "./JobActions";
import { JobNumbers } from "./JobNumbers";
import { scheduleInShort } from "./scheduleWords";

/** Each tab's code is loaded with the tab. */
const ComingFires = lazy(() => import("./ComingFires"));
const JobAudit = lazy(() => import("./JobAudit"));
const JobRuns = lazy(() => import("./JobRuns"));
const JobTimes = lazy(() => import("../job_times/JobTimes"));
const WhyNot = lazy(() => import("../ledger/WhyNot"));
const WhatIf = lazy(() => import("../what_if/WhatIf"));

type Job = Schemas["Job"];

const TABS = ["ledger", "runs", "times", "why", "coming", "what-if", "definition", "audit"] as const;
/** 120 requests an hour while the page is in sight. */
const PERIOD_MS = 30_000;

/** Shows one job: its ledger, its runs, what is to come, its definition and who changed it. */
export function JobPage() {
  const api = useApi();
  const jobId = useRouteParam("jobId");
  const live = useLive({
    key: ["job", jobId],
    read: () => readAll(api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: jobId } } })),
    everyMs: () => PERIOD_MS,
  });
  const crumbs = [
    { text: "Jobs", href: "/jobs" },
    { text: live.data?.name ?? jobId, href: `/jobs/${jobId}` },
  ];
  return (
    <Page title={live.data?.name ?? "Job"} crumbs={crumbs}>
      <Live live={live}>{(job) => <Shown job={job} />}</Live>
      <SameByCommand
        cli={command(`jobs get ${shellWord(jobId)}`)}
        api={request("GET", `/v1/jobs/${encodeURIComponent(jobId)}`)}
      />
    </Page>
  );
}

function Shown({ job }: { job: Job }) {
  const [tab, showTab] = useView("tab", TABS);
  return (
    <SpaceBetween size="l">
      <Header variant="h1" description={job.description} actions={<JobActions job={job} />}>
        {job.name}
      </Header>
      <Facts job={job} />
      <JobNumbers jobId={job.job_id} />
      <Tabs
        i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
        activeTabId={tab}
        onChange={({ detail }) => {
          showTab(detail.activeTabId);
        }}
        tabs={[
          { id: "ledger", label: "Ledger", content: <LedgerGrid jobId={job.job_id} /> },
          { id: "runs", label: "Runs", content: <Later><JobRuns jobId={job.job_id} /></Later> },
          { id: "times", label: "Times", content: <Later><JobTimes jobId={job.job_id} /></Later> },
          { id: "why", label: "Why not", content: <Later><WhyNot jobId={job.job_id} /></Later> },
          { id: "coming", label: "To come", content: <Later><ComingFires job={job} /></Later> },
          { id: "what-if", label: "What if", content: <Later><WhatIf job={job} /></Later> },
          {
            id: "definition",
            label: "Definition",
            content: <JsonText value={definitionOf(job)} label="Definition" />,
          },
          { id: "audit", label: "Changes", content: <Later><JobAudit jobId={job.job_id} /></Later> },
        ]}
      />
    </SpaceBetween>
  );
}

/** Keeps the place of a tab whose code is on its way. */
function Later({ children }: { children: ReactNode }) {
  return <Suspense fallback={<Skeleton what="the tab" />}>{children}</Suspense>;
}

function Facts({ job }: { job: Job }) {
  const pause = job.auto_pause;
  return (
    <SpaceBetween size="s">
      <KeyValuePairs
        columns={4}
        items={[
          { label: "Status", value: <State state={job.status} /> },
          { label: "Schedule", value: scheduleInShort(job.schedule) },
          {
            label: "Next run",
            value:
              job.next_run_at === null ? (
                "none"
              ) : (
                <>
                  <Instant at={job.next_run_at} both /> (<Instant at={job.next_run_at} relative />)
                </>
              ),
          },
          { label: "Action", value: targetOf(job) },
          { label: "Tells", value: <Told notifications={job.notifications} /> },
          { label: "Priority", value: `${job.priority}, ${job.resource_class}` },
          { label: "Version", value: <>{job.version}, changed <Instant at={job.updated_at} /></> },
          { label: "Job id", value: <CopiedId id={job.job_id} what="job id" /> },
          {
            label: "Tags",
            value: Object.entries(job.tags).map(([key, value]) => isolated(`${key}:${value}`)).join(", ") || "none",
          },
        ]}
      />
      {job.status === "paused" && job.pause_reason !== null && (
        <Box color="text-status-warning">
          <Said>Paused: {job.pause_reason}</Said>
        </Box>
      )}
      {pause !== null && !pause.on_trial && (
        <Box color="text-status-warning">
          {pause.failures} failed runs in a row paused it at <Instant at={pause.at} />. Resume it to
          try one run.
        </Box>
      )}
    </SpaceBetween>
  );
}

/** Writes the action and its target in one line. */
export function targetOf({ action }: Pick<Job, "action">): string {
  const { type, ...rest } = action;
  const named = Object.entries(rest).find(([name]) => /url|arn|function|pool|dag_id|queue|topic|bus|handler/.test(name));
  return named === undefined ? type : `${type} ${String(named[1])}`;
}

/** Returns the fields that the job's owner gave, in their order. */
function definitionOf(job: Job): Record<string, unknown> {
  const kept = new Set(["job_id", "version", "status", "created_at", "updated_at", "next_run_at", "next_unplanned_at", "auto_pause", "pause_reason", "payload_size_bytes", "advice"]);
  return Object.fromEntries(Object.entries(job).filter(([name]) => !kept.has(name)));
}
