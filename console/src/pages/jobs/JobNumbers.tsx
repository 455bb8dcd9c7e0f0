import KeyValuePairs from "@cloudscape-design/components/key-value-pairs";

import { Instant, Live, readAll, RouteLink, type Schemas, useApi, useLive } from "../../kit";
import { State } from "../shared/State";
import { writeDuration } from "../timeAxis";

type Statistics = Schemas["JobStatistics"];
type Spread = Statistics["duration_ms"];
type Ended = Statistics["last_run"];
/** 60 requests an hour while the page is in sight. */
const PERIOD_MS = 60_000;

/** Shows a job's recent runs in numbers: the latest hundred at most. */
export function JobNumbers({ jobId }: { jobId: string }) {
  const api = useApi();
  const live = useLive({
    key: ["job-statistics", jobId],
    read: () =>
      readAll(api.GET("/v1/jobs/{job_id}/statistics", { params: { path: { job_id: jobId } } })),
    everyMs: () => PERIOD_MS,
  });
  return <Live live={live}>{(read) => <Numbers jobId={jobId} read={read} />}</Live>;
}

function Numbers({ jobId, read }: { jobId: string; read: Statistics }) {
  const { streak } = read;
  return (
    <KeyValuePairs
      columns={4}
      items={[
        { label: "Last run", value: <RunLink run={read.last_run} /> },
        { label: "Last success", value: <RunLink run={read.last_success} /> },
        {
          label: "Streak",
          value:
            streak === null ? "none" : `${streak.count} ${streak.outcome} in a row${streak.is_partial ? ", or more" : ""}`,
        },
        { label: "Runs read", value: `${read.runs}${read.is_partial ? ", and there are earlier ones" : ""}` },
        { label: "Duration, p50 and p95", value: <SpreadOf spread={read.duration_ms} /> },
        { label: "Lateness, p50 and p95", value: <SpreadOf spread={read.lateness_ms} /> },
        { label: "Costs", value: <RouteLink to={`/costs?job_id=${jobId}`}>this month&apos;s</RouteLink> },
        { label: "Archived runs", value: <RouteLink to={`/runs/archived?job_id=${jobId}`}>since its creation</RouteLink> },
      ]}
    />
  );
}

function RunLink({ run }: { run: Ended }) {
  if (run === null) return "none";
  return (
    <>
      <RouteLink to={`/runs/${run.run_id}`}>
        <Instant at={run.scheduled_at} />
      </RouteLink>{" "}
      <State state={run.state} />
    </>
  );
}

function SpreadOf({ spread }: { spread: Spread }) {
  if (spread === null) return "none";
  return `${writeDuration(spread.p50)} and ${writeDuration(spread.p95)}, of ${spread.count} ${spread.count === 1 ? "run" : "runs"}`;
}
