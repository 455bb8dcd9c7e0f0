import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";
import { lazy, Suspense } from "react";

import {
  Instant,
  isolated,
  Live,
  Page,
  readAll,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useNow,
  useRouteParam,
  useSearch,
  useView,
} from "../../kit";
import { request } from "../shared/quoting";
import { State } from "../shared/State";
import { AllAttempts, ChooseAttempt } from "./Attempts";
import { Ending } from "./Ending";
import { Expired } from "./Expired";
import { RunActions } from "./acts/RunActions";
import { hasEnded } from "./acts/runActions";
import { ownerOf } from "./told/owner";
import { useOwnerName } from "./told/useOwnerName";
import { RunFacts } from "./RunFacts";
import { RunLog } from "./log/RunLog";
import { RunPayload, RunResult } from "./RunData";
import { WhereTheTimeWent } from "./waterfall/Waterfall";

const WhatFollowed = lazy(async () => ({
  default: (await import("./WhatFollowed")).WhatFollowed,
}));

type Run = Schemas["Run"];

/** A run that works or waits is read every 3 seconds: 1,200 requests an hour. */
const PERIOD_MS = 3_000;
/** An operator may have an ended one tried again: 60 requests an hour. */
const ENDED_PERIOD_MS = 60_000;

/** The page that lists what owns a run. */
const LISTS = {
  job: { list: "Jobs", href: "/jobs" },
  dag_run: { list: "DAGs", href: "/dags" },
  rule: { list: "Notification rules", href: "/rules" },
} as const;

export default function RunPage() {
  const runId = useRouteParam("run_id");
  const api = useApi();
  const live = useLive({
    key: ["run", runId],
    read: () => readAll(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
    everyMs: (run) => (run !== undefined && hasEnded(run.state) ? ENDED_PERIOD_MS : PERIOD_MS),
  });
  const owner = ownerOf(runId, live.data?.message);
  const { list, href } = LISTS[owner.kind];
  const name = useOwnerName(owner, live.data !== undefined);
  return (
    <Page
      title={`Run of ${isolated(name ?? "a rule")}`}
      crumbs={[
        { text: list, href },
        ...(name === null ? [] : [{ text: isolated(name), href: owner.place }]),
        { text: runId, href: `/runs/${encodeURIComponent(runId)}` },
      ]}
    >
      {live.problem?.problem.code === "run_expired" ? (
        <Expired runId={runId} problem={live.problem} />
      ) : (
        <Live live={live}>{(run) => <ShownRun run={run} onChange={live.refetch} />}</Live>
      )}
    </Page>
  );
}

function ShownRun({ run, onChange }: { run: Run; onChange: () => void }) {
  const [search, setSearch] = useSearch();
  const chosen = Number(search.get("attempt") ?? run.attempts.length);
  const attempt = run.attempts.find((each) => each.attempt === chosen) ?? run.attempts.at(-1);
  if (attempt === undefined) {
    return null;
  }
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={<Instant at={run.scheduled_at} both />}
        actions={<RunActions run={run} onDone={onChange} />}
      >
        Run <State state={run.state} reason={run.reason} />
      </Header>
      <Ending run={run} />
      <RunFacts run={run} attempt={attempt} />
      <Container
        header={
          <Header
            variant="h2"
            actions={
              run.attempts.length > 1 && (
                <ChooseAttempt
                  run={run}
                  chosen={attempt.attempt}
                  onChoose={(number) => {
                    setSearch({ attempt: String(number) });
                  }}
                />
              )
            }
          >
            Where the time went
          </Header>
        }
      >
        <TimeOf attempt={attempt} />
      </Container>
      <RunTabs run={run} />
      <SameByCommand
        cli={`timegate runs get ${run.run_id}\ntimegate runs logs ${run.run_id} --follow`}
        api={`${request("GET", `/v1/runs/${run.run_id}`)}\n${request("GET", `/v1/runs/${run.run_id}/logs`)}`}
      />
    </SpaceBetween>
  );
}

/** Counts the seconds of an attempt that goes on by itself: log and payload beneath are not drawn anew for each. */
function TimeOf({ attempt }: { attempt: Run["attempts"][number] }) {
  return attempt.ended_at === null ? <Going attempt={attempt} /> : <WhereTheTimeWent attempt={attempt} now={Date.parse(attempt.ended_at)} />;
}

function Going({ attempt }: { attempt: Run["attempts"][number] }) {
  return <WhereTheTimeWent attempt={attempt} now={useNow(1_000)} />;
}

const TABS = ["log", "result", "payload", "followed", "attempts"] as const;

function RunTabs({ run }: { run: Run }) {
  const [tab, showTab] = useView("tab", TABS);
  return (
    <Tabs
      i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
      ariaLabel="Parts of the run"
      activeTabId={tab}
      onChange={({ detail }) => {
        showTab(detail.activeTabId);
      }}
      tabs={[
        {
          id: "log",
          label: "Log",
          content: <RunLog key={run.run_id} runId={run.run_id} hasEnded={hasEnded(run.state)} />,
        },
        { id: "result", label: "Result", content: <RunResult run={run} /> },
        { id: "payload", label: "Payload", content: <RunPayload run={run} /> },
        { id: "followed", label: "What followed", content: (
            <Suspense fallback={null}>
              <WhatFollowed run={run} />
            </Suspense>
          ) },
        { id: "attempts", label: `Attempts (${run.attempts.length})`, content: <AllAttempts run={run} /> },
      ]}
    />
  );
}
