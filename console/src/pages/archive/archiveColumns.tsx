import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, RouteLink, type Schemas } from "../../kit";
import { Explained } from "../runs/Explained";
import { State } from "../shared/State";
import { writeDuration } from "../timeAxis";

type Run = Schemas["RunRow"];

const spanOf = (ms: number | null): string => (ms === null ? "–" : writeDuration(ms));

/** The archive has no names of jobs: ids stand for them. */
export const COLUMNS: TableProps.ColumnDefinition<Run>[] = [
  {
    id: "run",
    header: "Instant",
    isRowHeader: true,
    minWidth: 170,
    cell: (run) => (
      <RouteLink to={`/runs/archived/${encodeURIComponent(run.run_id)}`}>
        <Instant at={run.scheduled_at} />
      </RouteLink>
    ),
  },
  { id: "job", header: "Job", minWidth: 160, cell: (run) => <RouteLink to={`/jobs/${run.job_id}`}>{run.job_id}</RouteLink> },
  { id: "state", header: "State", minWidth: 190, cell: (run) => <State state={run.state} reason={run.reason} /> },
  { id: "ended", header: "Ended", minWidth: 150, cell: (run) => (run.ended_at === null ? "–" : <Instant at={run.ended_at} />) },
  { id: "late", header: "Late", minWidth: 90, cell: (run) => spanOf(run.lateness_ms) },
  { id: "duration", header: "Duration", minWidth: 100, cell: (run) => spanOf(run.duration_ms) },
  {
    id: "why",
    header: "Explanation",
    minWidth: 220,
    cell: (run) =>
      run.error === null ? (
        <Explained run={run} />
      ) : (
        <>
          <b>{run.error.code}</b> {run.error.message}
        </>
      ),
  },
  { id: "attempt", header: "Attempts", cell: (run) => run.attempt },
];
