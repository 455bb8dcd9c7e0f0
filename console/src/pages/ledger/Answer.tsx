import Box from "@cloudscape-design/components/box";
import Container from "@cloudscape-design/components/container";
import Header from "@cloudscape-design/components/header";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";

import { Instant, Live, readAll, RouteLink, SameByCommand, type Schemas, useApi, useLive } from "../../kit";
import { command, request } from "../shared/quoting";
import { markOf } from "./marks";

type Explained = Schemas["Explanation"];

interface Props {
  job: string;
  at: string;
  /** Returns the place that asks about another instant. */
  placeOf: (at: string) => string;
}

/** Says what became of an instant of a job, or why nothing did. */
export function Answer({ job, at, placeOf }: Props) {
  const api = useApi();
  const params = { path: { job_id: job }, query: { at } };
  const live = useLive({
    key: ["explain", job, at],
    read: () => readAll(api.GET("/v1/jobs/{job_id}/explain", { params })),
    everyMs: () => null,
  });
  return (
    <SpaceBetween size="l">
      <Live live={live}>{(explained) => <Told job={job} explained={explained} placeOf={placeOf} />}</Live>
      <SameAs job={job} at={at} />
    </SpaceBetween>
  );
}

/** Shows how a terminal and a program ask the same. */
export function SameAs({ job, at }: { job: string; at: string }) {
  return (
    <SameByCommand
      cli={command(`jobs explain ${job}`, [["--at", at]])}
      api={request("GET", `/v1/jobs/${job}/explain`, { at })}
    />
  );
}

/** Leads to the job that was asked for; `dag:` and an id stand for the own job of a DAG. */
function AskedFor({ job }: { job: string }) {
  const dagId = job.startsWith("dag:") ? job.slice("dag:".length) : null;
  if (dagId !== null) return <RouteLink to={`/dags/${dagId}`}>Open the DAG whose schedule it is</RouteLink>;
  return <RouteLink to={`/jobs/${encodeURIComponent(job)}`}>Open the job</RouteLink>;
}

function Told({ job, explained, placeOf }: Pick<Props, "job" | "placeOf"> & { explained: Explained }) {
  const { record, nearest } = explained;
  const run = record !== null && "run_id" in record ? record.run_id : null;
  const instant = (at: string | null) =>
    at === null ? "none" : <RouteLink to={placeOf(at)}><Instant at={at} both /></RouteLink>;
  return (
    <Container header={<Header variant="h2">{explained.explanation}</Header>}>
      <SpaceBetween size="m">
        <KeyValuePairs
          columns={3}
          items={[
            { label: "Instant", value: <Instant at={explained.instant} both /> },
            { label: "Verdict", value: explained.verdict.replaceAll("_", " ") },
            { label: "Record", value: record === null ? "none" : markOf(record).word },
            { label: "Instant before", value: instant(nearest.before) },
            { label: "Instant after", value: instant(nearest.after) },
            { label: "Job", value: <AskedFor job={job} /> },
          ]}
        />
        {record !== null && <Box variant="p">{record.explanation}</Box>}
        {run !== null && <RouteLink to={`/runs/${run}`}>Open the run</RouteLink>}
      </SpaceBetween>
    </Container>
  );
}
