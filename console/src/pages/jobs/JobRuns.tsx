import Box from "@cloudscape-design/components/box";
import Table, { type TableProps } from "@cloudscape-design/components/table";

import { Instant, ProblemAlert, readAll, RouteLink, type Schemas, useApi } from "../../kit";
import { Explained } from "../runs/Explained";
import { ListFooter } from "../shared/ListFooter";
import { State } from "../shared/State";
import { useListing } from "../shared/useListing";
import { writeDuration } from "../timeAxis";

type Run = Schemas["RunPage"]["items"][number];
const PAGE_SIZE = 50;
/** 120 requests an hour while the page is in sight. */
const PERIOD_MS = 30_000;

const COLUMNS: TableProps.ColumnDefinition<Run>[] = [
  {
    id: "due",
    header: "Due",
    isRowHeader: true,
    minWidth: 190,
    cell: (run) => (
      <RouteLink to={`/runs/${run.run_id}`} label={`Open the run due ${run.due_at}`}>
        <Instant at={run.due_at} />
      </RouteLink>
    ),
  },
  { id: "state", header: "State", minWidth: 190, cell: (run) => <State state={run.state} reason={run.reason} /> },
  { id: "late", header: "Late", minWidth: 100, cell: (run) => lengthOf(run.lateness_ms) },
  { id: "took", header: "Took", minWidth: 100, cell: (run) => lengthOf(run.duration_ms) },
  { id: "attempt", header: "Attempts", minWidth: 100, cell: (run) => run.attempt },
  { id: "why", header: "Explanation", minWidth: 280, cell: (run) => run.error?.message ?? <Explained run={run} /> },
];

/** Lists the runs of a job, the latest first. */
export function JobRuns({ jobId }: { jobId: string }) {
  const api = useApi();
  const path = { job_id: jobId };
  const listing = useListing<Run>(
    ["runs", jobId],
    (cursor) =>
      readAll(
        api.GET("/v1/jobs/{job_id}/runs", {
          params: { path, query: { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) } },
        }),
      ),
    PERIOD_MS,
  );
  return (
    <>
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <Table
        variant="embedded"
        wrapLines
        items={listing.items}
        trackBy="run_id"
        columnDefinitions={COLUMNS}
        loading={listing.isLoading}
        loadingText="Reading runs"
        ariaLabels={{ tableLabel: "Runs" }}
        empty={<Box>It has no runs yet.</Box>}
        footer={<ListFooter listing={listing} what="runs" />}
      />
    </>
  );
}

function lengthOf(ms: number | null): string {
  return ms === null ? "–" : writeDuration(ms);
}
