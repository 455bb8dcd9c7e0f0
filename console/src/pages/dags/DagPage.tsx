import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs, {
  type KeyValuePairsProps,
} from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import Tabs from "@cloudscape-design/components/tabs";
import { lazy, Suspense } from "react";

import {
  CopiedId,
  decimalOf,
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
  useGo,
  useLive,
  useMay,
  useRouteParam,
  useSearch,
  useView,
} from "../../kit";
import { DagRunGrid } from "../dag_runs/DagRunGrid";
import { scheduleInShort } from "../jobs/scheduleWords";
import { JsonText } from "../shared/json/JsonText";
import { command, request } from "../shared/quoting";
import { State } from "../shared/State";
import { Told } from "../shared/Told";
import { writeDuration } from "../timeAxis";
import { DefinedTask } from "./DefinedTask";
import { sizeOf } from "./sizeOf";
import { StartDagRun } from "./StartDagRun";
import { Versions } from "./Versions";

const DagGraph = lazy(async () => ({ default: (await import("./DagGraph")).DagGraph }));

type Dag = Schemas["Dag"];

/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

export default function DagPage() {
  const dagId = useRouteParam("dag_id");
  const api = useApi();
  const live = useLive({
    key: ["dag", dagId],
    read: () => readAll(api.GET("/v1/dags/{dag_id}", { params: { path: { dag_id: dagId } } })),
    everyMs: () => PERIOD_MS,
  });
  const name = live.data?.name ?? dagId;
  return (
    <Page
      title={`DAG ${isolated(name)}`}
      crumbs={[
        { text: "DAGs", href: "/dags" },
        { text: name, href: `/dags/${dagId}` },
      ]}
    >
      <Live live={live}>{(dag) => <Shown current={dag} />}</Live>
    </Page>
  );
}

const VIEWS = ["runs", "graph", "definition"] as const;

function Shown({ current }: { current: Dag }) {
  const [search] = useSearch();
  const [view, showView] = useView("view", VIEWS);
  const asked = decimalOf(search.get("version") ?? "");
  const version = Number.isInteger(asked) ? asked : current.version;
  return (
    <SpaceBetween size="l">
      <Header
        variant="h1"
        description={current.description}
        actions={
          <SpaceBetween direction="horizontal" size="xs">
            <EditButton dag={current} />
            <StartDagRun dag={current} />
          </SpaceBetween>
        }
      >
        <Said>{current.name}</Said> <State state={current.status} />
      </Header>
      <Facts dag={current} />
      <Tabs
        i18nStrings={{ scrollLeftAriaLabel: "Tabs before", scrollRightAriaLabel: "Tabs after" }}
        ariaLabel="Views of the DAG"
        activeTabId={view}
        onChange={({ detail }) => {
          showView(detail.activeTabId);
        }}
        tabs={[
          { id: "runs", label: "Runs", content: <DagRunGrid dag={current} /> },
          {
            id: "graph",
            label: "Graph",
            content: <VersionView current={current} version={version} as="graph" />,
          },
          {
            id: "definition",
            label: "Definition",
            content: <VersionView current={current} version={version} as="definition" />,
          },
        ]}
      />
      <SameByCommand
        cli={`${command(`dags show ${current.dag_id}`, [["--version", String(version)]])}\n${command(`dags runs ${current.dag_id}`)}`}
        api={`${request("GET", `/v1/dags/${current.dag_id}/versions/${version}`)}\n${request("GET", `/v1/dags/${current.dag_id}/runs`)}`}
      />
    </SpaceBetween>
  );
}

function EditButton({ dag }: { dag: Dag }) {
  const go = useGo();
  const may = useMay("write");
  const why = may.why ?? (dag.status === "deleted" ? "A deleted DAG stays as it was." : null);
  return (
    <Button
      disabled={why !== null}
      disabledReason={why ?? ""}
      onClick={() => {
        go(`/dags/${dag.dag_id}/edit`);
      }}
    >
      Edit
    </Button>
  );
}

/** Says when runs start by themselves, who is told of their ends, and what follows. */
function followersOf(dag: Dag): KeyValuePairsProps.Pair[] {
  return [
    {
      label: "Schedule",
      value: (
        <>
          {dag.schedule === null ? "none: runs are started" : scheduleInShort(dag.schedule)}
          {dag.job_id !== null && (
            <>
              {" "}
              (<RouteLink to={`/jobs/${dag.job_id}`}>its job</RouteLink>)
            </>
          )}
        </>
      ),
    },
    { label: "Told of ends", value: <Told notifications={dag.notifications} /> },
    {
      label: "Then",
      value:
        dag.then.length === 0
          ? "nothing"
          : dag.then.map(({ job_id: jobId, on }, index) => (
              <div key={index}>
                <RouteLink to={`/jobs/${jobId}`}>{jobId}</RouteLink>, once {on.join(" or ")}
              </div>
            )),
    },
  ];
}

function Facts({ dag }: { dag: Dag }) {
  const policy = dag.failure_policy;
  return (
    <Container>
      <KeyValuePairs
        columns={4}
        items={[
          { label: "DAG id", value: <CopiedId id={dag.dag_id} what="DAG id" /> },
          { label: "Version", value: dag.version },
          { label: "Tasks and edges", value: sizeOf(dag) },
          { label: "Failure policy", value: policyWords(policy) },
          { label: "May take", value: writeDuration(dag.timeout_seconds * 1_000) },
          ...followersOf(dag),
          { label: "Created", value: <Instant at={dag.created_at} /> },
          { label: "Changed", value: <Instant at={dag.updated_at} /> },
          ...Object.entries(dag.tags).map(([name, value]) => ({ label: `Tag ${name}`, value })),
        ]}
      />
    </Container>
  );
}

interface VersionProps {
  current: Dag;
  version: number;
  as: "graph" | "definition";
}

function VersionView({ current, version, as }: VersionProps) {
  const api = useApi();
  const path = { dag_id: current.dag_id, version: String(version) };
  const live = useLive({
    key: ["dag-version", current.dag_id, version],
    read: () => readAll(api.GET("/v1/dags/{dag_id}/versions/{version}", { params: { path } })),
    everyMs: () => null,
  });
  return (
    <SpaceBetween size="s">
      <Versions current={current} version={version} />
      <Live live={live}>
        {(dag) =>
          as === "graph" ? (
            <VersionGraph dag={dag} />
          ) : (
            <JsonText label="Definition" value={definitionOf(dag)} />
          )
        }
      </Live>
    </SpaceBetween>
  );
}

function VersionGraph({ dag }: { dag: Dag }) {
  const [search, setSearch] = useSearch();
  const chosen = dag.tasks.find(({ key }) => key === search.get("task"));
  return (
    <SpaceBetween size="s">
      <Suspense fallback={null}>
        <DagGraph
          label={`Graph of ${dag.name}, version ${dag.version}; the tab Definition has the same as text`}
          picture={{ nodes: dag.tasks.map(nodeOf), edges: dag.edges }}
          selected={chosen?.key ?? null}
          onSelect={(key) => {
            setSearch({ task: key });
          }}
        />
      </Suspense>
      {chosen !== undefined && <DefinedTask task={chosen} edges={dag.edges} />}
    </SpaceBetween>
  );
}

function nodeOf(task: Dag["tasks"][number]) {
  const rule = task.trigger_rule;
  return {
    key: task.key,
    title: task.name === "" ? task.key : task.name,
    runs: task.job?.action.type ?? "job",
    rule: rule === undefined || rule.kind === "all" ? "all" : `${rule.kind} ${rule.count ?? ""}`,
    fan_out: task.fan_out != null,
    state: null,
  };
}

/** Leaves out what the API adds to a definition, so that it can be sent back. */
function definitionOf(dag: Dag) {
  const { name, description, tags, metadata, failure_policy, timeout_seconds, tasks, edges } = dag;
  const { schedule, notifications, then } = dag;
  return { name, description, tags, metadata, failure_policy, timeout_seconds, tasks, edges, schedule, notifications, then };
}

function policyWords({ policy, max_retries: retries }: Dag["failure_policy"]): string {
  const words = policy.replaceAll("_", " ");
  return policy === "retry" ? `${words}, up to ${retries} times` : words;
}
