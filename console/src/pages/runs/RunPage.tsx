import Alert from "@cloudscape-design/components/alert";
import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import ExpandableSection from "@cloudscape-design/components/expandable-section";
import Header from "@cloudscape-design/components/header";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import SegmentedControl from "@cloudscape-design/components/segmented-control";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";
import { lazy, Suspense } from "react";

import {
  Instant,
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
} from "../../kit";
import { request } from "../shared/quoting";
import { State } from "../shared/State";
import { likelyCause } from "./causes";
import { Explained } from "./Explained";
import { RunActions } from "./acts/RunActions";
import { hasEnded } from "./acts/runActions";
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

export default function RunPage() {
  const runId = useRouteParam("run_id");
  const api = useApi();
  const live = useLive({
    key: ["run", runId],
    read: () => readAll(api.GET("/v1/runs/{run_id}", { params: { path: { run_id: runId } } })),
    everyMs: (run) => (run !== undefined && hasEnded(run.state) ? null : PERIOD_MS),
  });
  const jobId = runId.split(".")[0] ?? runId;
  return (
    <Page
      title={`Run of ${jobId}`}
      crumbs={[
        { text: "Jobs", href: "/jobs" },
        { text: jobId, href: `/jobs/${jobId}` },
        { text: runId, href: `/runs/${runId}` },
      ]}
    >
      <Live live={live}>{(run) => <ShownRun run={run} onChange={live.refetch} />}</Live>
    </Page>
  );
}

function ShownRun({ run, onChange }: { run: Run; onChange: () => void }) {
  const [search, setSearch] = useSearch();
  const now = useNow(1_000);
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
                <Attempts
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
        <WhereTheTimeWent attempt={attempt} now={now} />
      </Container>
      <RunTabs run={run} tab={search.get("tab") ?? "log"} onTab={(tab) => {
        setSearch({ tab });
      }} />
      <SameByCommand
        cli={`timegate runs get ${run.run_id}\ntimegate runs logs ${run.run_id} --follow`}
        api={`${request("GET", `/v1/runs/${run.run_id}`)}\n${request("GET", `/v1/runs/${run.run_id}/logs`)}`}
      />
    </SpaceBetween>
  );
}

function Attempts(props: { run: Run; chosen: number; onChoose: (attempt: number) => void }) {
  return (
    <SegmentedControl
      label="Attempt"
      selectedId={String(props.chosen)}
      options={props.run.attempts.map((each) => ({
        id: String(each.attempt),
        text: `Attempt ${each.attempt}`,
      }))}
      onChange={({ detail }) => {
        props.onChoose(Number(detail.selectedId));
      }}
    />
  );
}

/** Says how the run ended or how far it came, with the likely cause and what to do. */
function Ending({ run }: { run: Run }) {
  const cause = likelyCause(run.error?.code ?? null, run.reason);
  if (run.error === null && (run.state === "succeeded" || !hasEnded(run.state))) {
    return <Going run={run} />;
  }
  return (
    <Alert
      type={run.state === "skipped" || run.state === "cancelled" ? "info" : "error"}
      header={run.error === null ? <Explained run={run} /> : `${run.error.code}: ${run.error.type}`}
    >
      <SpaceBetween size="xs">
        {run.error !== null && <span className="tg-said">{run.error.message}</span>}
        {cause !== null && (
          <span>
            <b>Likely cause:</b> {cause.cause} <b>What to do:</b> {cause.advice}
          </span>
        )}
        {run.error !== null && (
          <span>
            <Explained run={run} />
          </span>
        )}
      </SpaceBetween>
    </Alert>
  );
}

function Going({ run }: { run: Run }) {
  if (run.progress?.percent != null && !hasEnded(run.state)) {
    return (
      <ProgressBar
        value={run.progress.percent}
        label="Progress, as its worker reports it"
        description={run.progress.message ?? ""}
        additionalInfo={run.cancel_requested ? "Its worker has been asked to stop." : ""}
      />
    );
  }
  return (
    <Alert type={run.state === "succeeded" ? "success" : "info"}>
      {run.cancel_requested ? "Its worker has been asked to stop. " : ""}
      {run.explanation}
    </Alert>
  );
}

function RunTabs(props: { run: Run; tab: string; onTab: (tab: string) => void }) {
  const { run } = props;
  return (
    <Tabs
      i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
      ariaLabel="Parts of the run"
      activeTabId={props.tab}
      onChange={({ detail }) => {
        props.onTab(detail.activeTabId);
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
        { id: "attempts", label: `Attempts (${run.attempts.length})`, content: <All run={run} /> },
      ]}
    />
  );
}

function All({ run }: { run: Run }) {
  return (
    <SpaceBetween size="s">
      {run.attempts
        .map((each) => (
          <ExpandableSection
            key={each.attempt}
            defaultExpanded={each.attempt === run.attempt}
            headerText={`Attempt ${each.attempt}`}
            headerDescription={each.explanation}
          >
            <SpaceBetween size="xs">
              <State state={each.state} reason={each.reason} />
              {each.error !== null && (
                <Box variant="p">
                  {each.error.code}: {each.error.message}
                </Box>
              )}
              {each.resolution !== null && (
                <Box variant="p">
                  {each.resolution.settled} by {each.resolution.by},{" "}
                  <Instant at={each.resolution.at} />
                  {each.resolution.note === null ? "" : `: ${each.resolution.note}`}
                </Box>
              )}
              <RunFacts run={run} attempt={each} plain />
            </SpaceBetween>
          </ExpandableSection>
        ))
        .reverse()}
    </SpaceBetween>
  );
}
