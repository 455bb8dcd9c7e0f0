import Box from "@cloudscape-design/components/box";
import Button from "@cloudscape-design/components/button";
import Container from "@cloudscape-design/components/container";
import FormField from "@cloudscape-design/components/form-field";
import Header from "@cloudscape-design/components/header";
import Input from "@cloudscape-design/components/input";
import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";
import SpaceBetween from "@cloudscape-design/components/space-between";
import { useState } from "react";

import {
  Instant,
  Live,
  Page,
  readAll,
  RouteLink,
  SameByCommand,
  type Schemas,
  useApi,
  useLive,
  useSearch,
} from "../../kit";
import { localInstantOf } from "../shared/instants";
import { command, request } from "../shared/quoting";
import { markOf } from "./marks";

type Explained = Schemas["Explanation"];
const JOB = /^(?:(?:dag:)?[a-z2-7]{26}|key:[a-z0-9][a-z0-9._-]{0,63})$/;

/** Answers for one job and one instant: it ran, or the reason why it did not. */
export function WhyPage() {
  const [search, setSearch] = useSearch();
  const asked = { job: search.get("job") ?? "", at: search.get("at") ?? "" };
  const [job, setJob] = useState(asked.job);
  const [at, setAt] = useState(asked.at);
  const [of, setOf] = useState(asked);
  // A link to the instant before, or the browser's way back, asks another question.
  if (of.job !== asked.job || of.at !== asked.at) {
    setOf(asked);
    setJob(asked.job);
    setAt(asked.at);
  }
  const refusal = refusalOf(job, at);
  return (
    <Page title="Why did it not run?" crumbs={[{ text: "Why did it not run?", href: "/why" }]} heading>
      <Container>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const instant = localInstantOf(at);
            if (refusal === null && instant !== null) setSearch({ job, at: new Date(instant).toISOString() });
          }}
        >
          <SpaceBetween size="m">
            <FormField label="Job" description="Its id of 26 letters and digits, or key: and its key.">
              <Input value={job} placeholder="bwjvcytzr72gxmnvxjbslykqdc" onChange={({ detail }) => { setJob(detail.value.trim()); }} />
            </FormField>
            <FormField
              label="Instant"
              description="With its zone: 2026-11-21T09:00:00Z. Without one, it is read in your zone."
              errorText={job !== "" && at !== "" ? refusal : null}
            >
              <Input value={at} placeholder="2026-11-21T09:00:00Z" onChange={({ detail }) => { setAt(detail.value.trim()); }} />
            </FormField>
            <Button variant="primary" formAction="submit" disabled={refusal !== null}>
              Explain
            </Button>
          </SpaceBetween>
        </form>
      </Container>
      {refusalOf(asked.job, asked.at) === null ? <Answer job={asked.job} at={asked.at} /> : <SameAs job="JOB_ID" at="INSTANT" />}
    </Page>
  );
}

function refusalOf(job: string, at: string): string | null {
  if (!JOB.test(job)) return "This is no id of a job, and no key.";
  return localInstantOf(at) === null ? "This is no instant." : null;
}

function Answer({ job, at }: { job: string; at: string }) {
  const api = useApi();
  const params = { path: { job_id: job }, query: { at } };
  const live = useLive({
    key: ["explain", job, at],
    read: () => readAll(api.GET("/v1/jobs/{job_id}/explain", { params })),
    everyMs: () => null,
  });
  return (
    <SpaceBetween size="l">
      <Live live={live}>{(explained) => <Told job={job} explained={explained} />}</Live>
      <SameAs job={job} at={at} />
    </SpaceBetween>
  );
}

function SameAs({ job, at }: { job: string; at: string }) {
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

function Told({ job, explained }: { job: string; explained: Explained }) {
  const { record, nearest } = explained;
  const run = record !== null && "run_id" in record ? record.run_id : null;
  const instant = (at: string | null) =>
    at === null ? "none" : <RouteLink to={`/why?job=${job}&at=${at}`}><Instant at={at} both /></RouteLink>;
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
