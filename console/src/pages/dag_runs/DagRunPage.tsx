import Alert from "@cloudscape-design/components/alert";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import ProgressBar from "@cloudscape-design/components/progress-bar";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";
import { lazy, Suspense, useMemo } from "react";

import {
  CopiedId,
  Instant,
  isolated,
  Live,
  Page,
  readAll,
  RouteLink,
  Said,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useRouteParam,
  useSearch,
  useView,
} from "../../kit";
import type { PictureEdge, PictureNode } from "../dags/picture";
import { JsonText } from "../shared/json/JsonText";
import { ByEvent } from "../runs/told/ByEvent";
import { TraceId } from "../runs/told/TraceId";
import { request } from "../shared/quoting";
import { State } from "../shared/State";
import { writeDuration } from "../timeAxis";
import { hasEnded } from "./consequences";
import { DagRunActions } from "./DagRunActions";
import { Gantt } from "./Gantt";
import { notesOf } from "./notes";
import { TaskDrawer } from "./TaskDrawer";
import { TasksTable } from "./TasksTable";

const DagGraph = lazy(async () => ({ default: (await import("../dags/DagGraph")).DagGraph }));

type DagRun = Schemas["DagRun"];

/** A DAG run that goes on is read every 5 seconds: 720 requests an hour. */
const PERIOD_MS = 5_000;
/** An operator may open an ended one anew: 60 requests an hour. */
const ENDED_PERIOD_MS = 60_000;

interface Structure {
  name: string;
  nodes: readonly PictureNode[];
  edges: readonly PictureEdge[];
}

export default function DagRunPage() {
  const dagRunId = useRouteParam("dag_run_id");
  const api = useApi();
  const path = { dag_run_id: dagRunId };
  const live = useLive({
    key: ["dag-run", dagRunId],
    read: () => readAll(api.GET("/v1/dag-runs/{dag_run_id}", { params: { path } })),
    everyMs: (run) => (run !== undefined && hasEnded(run.status) ? ENDED_PERIOD_MS : PERIOD_MS),
  });
  // Tasks and edges of a DAG run never change: they are read once.
  const structure = useLive({
    key: ["dag-run-graph", dagRunId],
    read: () => readAll(api.GET("/v1/dag-runs/{dag_run_id}/graph", { params: { path } })),
    everyMs: () => null,
  });
  const name = structure.data?.name ?? dagRunId;
  return (
    <Page
      title={`DAG run of ${isolated(name)}`}
      crumbs={[
        { text: "DAGs", href: "/dags" },
        { text: name, href: live.data === undefined ? "/dags" : `/dags/${live.data.dag_id}` },
        { text: dagRunId, href: `/dag-runs/${dagRunId}` },
      ]}
    >
      <Live live={structure}>
        {(drawn) => (
          <Live live={live}>
            {(run) => <Shown run={run} structure={drawn} onChange={live.refetch} />}
          </Live>
        )}
      </Live>
    </Page>
  );
}

interface ShownProps {
  run: DagRun;
  structure: Structure;
  onChange: () => void;
}

function Shown({ run, structure, onChange }: ShownProps) {
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={<Instant at={run.scheduled_at} both />}
        actions={<DagRunActions run={run} edges={structure.edges} onDone={onChange} />}
      >
        <Said>{structure.name}</Said> <State state={run.status} reason={run.reason} />
      </Header>
      <Facts run={run} />
      <Parts run={run} structure={structure} onChange={onChange} />
      <SameByCommand
        cli={`timegate dags watch ${run.dag_run_id}\ntimegate dags graph ${run.dag_run_id} --run\ntimegate dags gantt ${run.dag_run_id}`}
        api={`${request("GET", `/v1/dag-runs/${run.dag_run_id}`)}\n${request("GET", `/v1/dag-runs/${run.dag_run_id}/graph`)}\n${request("GET", `/v1/dag-runs/${run.dag_run_id}/gantt`)}`}
      />
    </SpaceBetween>
  );
}

function Facts({ run }: { run: DagRun }) {
  const share = run.task_count === 0 ? 100 : Math.floor((run.ended_count / run.task_count) * 100);
  const ended = run.ended_at === null ? null : Date.parse(run.ended_at);
  return (
    <Container>
      <SpaceBetween size="m">
        {!hasEnded(run.status) && (
          <ProgressBar
            value={share}
            label="Tasks that have ended"
            description={`${run.ended_count} of ${run.task_count}, ${run.failed_count} failed`}
          />
        )}
        <KeyValuePairs
          columns={4}
          items={[
            { label: "DAG run id", value: <CopiedId id={run.dag_run_id} what="DAG run id" /> },
            { label: "Version", value: run.dag_version },
            { label: "Round", value: run.round },
            { label: "Trigger", value: <Trigger run={run} /> },
            {
              label: "Tasks",
              value: `${run.ended_count} of ${run.task_count} ended, ${run.failed_count} failed`,
            },
            { label: "Began", value: <Instant at={run.created_at} /> },
            { label: "Trace id", value: <TraceId id={run.trace_id} /> },
            {
              label: ended === null ? "Is stopped" : "Ended",
              value: <Instant at={run.ended_at ?? run.deadline_at} />,
            },
            {
              label: "Duration",
              value: ended === null ? "–" : writeDuration(ended - Date.parse(run.created_at)),
            },
          ]}
        />
      </SpaceBetween>
    </Container>
  );
}

function Trigger({ run }: { run: DagRun }) {
  if (run.matched_event !== null) return <ByEvent event={run.matched_event} />;
  if (run.job_id === null) {
    return <>{run.trigger}</>;
  }
  return (
    <>
      <RouteLink to={`/jobs/${run.job_id}`}>job</RouteLink>
      {run.run_id !== null && (
        <>
          , <RouteLink to={`/runs/${run.run_id}`}>its run</RouteLink>
        </>
      )}
    </>
  );
}

const VIEWS = ["graph", "tasks", "gantt", "parameters"] as const;

function Parts({ run, structure, onChange }: ShownProps) {
  const [search, setSearch] = useSearch();
  const [view, showView] = useView("view", VIEWS);
  const chosen = run.tasks.find(({ key }) => key === search.get("task"));
  // The graph is drawn anew where they are other objects.
  const picture = useMemo(() => withStates(structure, run), [structure, run]);
  const notes = useMemo(() => notesOf(run.tasks), [run.tasks]);
  const choose = (key: string | null): void => {
    setSearch({ task: key });
  };
  const tabs = (
    <Tabs
      i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
      ariaLabel="Views of the DAG run"
      activeTabId={view}
      onChange={({ detail }) => {
        showView(detail.activeTabId);
      }}
      tabs={[
        {
          id: "graph",
          label: "Graph",
          content: (
            <Suspense fallback={null}>
              <DagGraph
                label={`Graph of ${structure.name}; the tab Tasks has the same as a table`}
                picture={picture}
                notes={notes}
                selected={chosen?.key ?? null}
                onSelect={choose}
              />
            </Suspense>
          ),
        },
        {
          id: "tasks",
          label: `Tasks (${run.task_count})`,
          content: (
            <TasksTable
              tasks={run.tasks}
              edges={structure.edges}
              selected={chosen?.key ?? null}
              onSelect={choose}
            />
          ),
        },
        {
          id: "gantt",
          label: "Gantt",
          content: <Gantt run={run} selected={chosen?.key ?? null} onSelect={choose} />,
        },
        {
          id: "parameters",
          label: "Parameters",
          content: <JsonText label="Parameters" value={run.parameters} />,
        },
      ]}
    />
  );
  // The tabs stay where they are: another place would draw the graph anew.
  return (
    <SpaceBetween size="l">
      <Alerted run={run} />
      <div className={chosen === undefined ? "tg-alone" : "tg-beside"}>
        {tabs}
        {chosen !== undefined && (
          <TaskDrawer
            run={run}
            task={chosen}
            edges={structure.edges}
            onClose={() => {
              choose(null);
            }}
            onDone={onChange}
          />
        )}
      </div>
    </SpaceBetween>
  );
}

function Alerted({ run }: { run: DagRun }) {
  return run.status === "stopping" ? (
    <Alert type="info">The DAG run is being stopped: clean-ups run to their end.</Alert>
  ) : null;
}

function withStates(structure: Structure, run: DagRun) {
  const states = new Map(run.tasks.map(({ key, state }) => [key, state]));
  return {
    nodes: structure.nodes.map((node) => ({ ...node, state: states.get(node.key) ?? node.state })),
    edges: structure.edges,
  };
}
