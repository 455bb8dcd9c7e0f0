import Box from "@cloudscape-design/components/box";
import SpaceBetween from "@cloudscape-design/components/space-between";
import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, ProblemAlert, RouteLink } from "../../kit";
import { Explained } from "../runs/told/Explained";
import { KeyOfSlots } from "../runs/told/KeyOfSlots";
import { ListedTable } from "../shared/listing/ListedTable";
import { State } from "../shared/State";
import { writeDuration } from "../timeAxis";
import { type JobRun, useJobRuns } from "./useJobRuns";

const COLUMNS: TableProps.ColumnDefinition<JobRun>[] = [
  {
    id: "due",
    header: "Due",
    isRowHeader: true,
    minWidth: 190,
    cell: (run) => (
      <>
        <RouteLink to={`/runs/${run.run_id}`}>
          <Instant at={run.due_at} />
        </RouteLink>
        <KeyOfSlots run={run} />
      </>
    ),
  },
  { id: "state", header: "State", minWidth: 190, cell: (run) => <State state={run.state} reason={run.reason} /> },
  { id: "late", header: "Late", minWidth: 100, cell: (run) => lengthOf(run.lateness_ms) },
  { id: "took", header: "Took", minWidth: 100, cell: (run) => lengthOf(run.duration_ms) },
  { id: "attempt", header: "Attempts", minWidth: 100, cell: (run) => run.attempt },
  { id: "why", header: "Explanation", minWidth: 280, cell: (run) => run.error?.message ?? <Explained run={run} /> },
];

/** Lists the runs of a job, the latest first. */
export default function JobRuns({ jobId }: { jobId: string }) {
  const listing = useJobRuns(jobId);
  return (
    <SpaceBetween size="l">
      {listing.problem !== null && <ProblemAlert problem={listing.problem} />}
      <ListedTable
        variant="embedded"
        wrapLines
        trackBy="run_id"
        columnDefinitions={COLUMNS}
        listing={listing}
        what="runs"
        ariaLabels={{ tableLabel: "Runs" }}
        empty={<Box>It has no runs yet.</Box>}
      />
    </SpaceBetween>
  );
}

function lengthOf(ms: number | null): string {
  return ms === null ? "–" : writeDuration(ms);
}
