import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, RouteLink, type Schemas } from "../../kit";
import { ownerOf } from "../runs/told/owner";
import { OwnerLink } from "../runs/told/OwnerLink";
import { measureOf, WhyCell } from "../runs/told/WhyCell";
import { State } from "../shared/State";

type Run = Schemas["RunRow"];

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
  { id: "job", header: "Job or DAG run", minWidth: 160, cell: (run) => <OwnerLink owner={ownerOf(run.run_id)} /> },
  { id: "state", header: "State", minWidth: 190, cell: (run) => <State state={run.state} reason={run.reason} /> },
  { id: "ended", header: "Ended", minWidth: 150, cell: (run) => (run.ended_at === null ? "–" : <Instant at={run.ended_at} />) },
  { id: "late", header: "Late", minWidth: 90, cell: (run) => measureOf(run.lateness_ms) },
  { id: "duration", header: "Duration", minWidth: 100, cell: (run) => measureOf(run.duration_ms) },
  {
    id: "why",
    header: "Explanation",
    minWidth: 220,
    cell: (run) => <WhyCell run={run} />,
  },
  { id: "attempt", header: "Attempts", cell: (run) => run.attempt },
];
