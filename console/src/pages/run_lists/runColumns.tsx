import type { TableProps } from "@cloudscape-design/components/table";

import { Instant, RouteLink, type Schemas } from "../../kit";
import { KeyOfSlots } from "../runs/told/KeyOfSlots";
import { measureOf, WhyCell } from "../runs/told/WhyCell";
import { State } from "../shared/State";

type Column = TableProps.ColumnDefinition<Schemas["NamedRun"]>;

const JOB: Column = {
  id: "job",
  header: "Job",
  isRowHeader: true,
  minWidth: 180,
  cell: (run) => (
    <>
      <RouteLink to={`/runs/${run.run_id}`}>{run.job_name ?? `${run.job_id} (gone)`}</RouteLink>
      <KeyOfSlots run={run} />
    </>
  ),
};
const STATE: Column = {
  id: "state",
  header: "State",
  minWidth: 190,
  cell: (run) => <State state={run.state} reason={run.reason} />,
};
const ERROR: Column = {
  id: "error",
  header: "Error",
  minWidth: 220,
  cell: (run) => <WhyCell run={run} />,
};
const ENDED: Column = {
  id: "ended",
  header: "Ended",
  minWidth: 150,
  cell: (run) => (run.ended_at === null ? "–" : <Instant at={run.ended_at} />),
};
const INSTANT: Column = {
  id: "due",
  header: "Instant",
  minWidth: 150,
  cell: (run) => <Instant at={run.scheduled_at} />,
};
const LATE: Column = { id: "late", header: "Late", minWidth: 90, cell: (run) => measureOf(run.lateness_ms) };
const ATTEMPTS: Column = { id: "attempt", header: "Attempts", cell: (run) => run.attempt };
const DURATION: Column = { id: "duration", header: "Duration", minWidth: 100, cell: (run) => measureOf(run.duration_ms) };

/** Failures are ordered by their ends. */
export const FAILED_COLUMNS = [JOB, STATE, ERROR, ENDED, INSTANT, ATTEMPTS, DURATION];
/** Runs in every state are ordered by their instants. */
export const ALL_COLUMNS = [
  JOB,
  INSTANT,
  STATE,
  LATE,
  DURATION,
  { ...ERROR, id: "why", header: "Explanation" },
  ATTEMPTS,
];
