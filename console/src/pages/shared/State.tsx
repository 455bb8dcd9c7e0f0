import StatusIndicator, {
  type StatusIndicatorProps,
} from "@cloudscape-design/components/status-indicator";

import { stateWords } from "./stateWords";
import "./tokens.css";

/** Shapes and colours of states; each has its own icon, so that colour is never needed. */
const SHAPES: Record<string, StatusIndicatorProps.Type> = {
  waiting: "pending",
  queued: "pending",
  pending: "pending",
  opening: "pending",
  scheduled: "pending",
  running: "in-progress",
  reopening: "in-progress",
  stopping: "in-progress",
  active: "success",
  succeeded: "success",
  completed: "success",
  failed: "error",
  timed_out: "error",
  dead_lettered: "error",
  cancelled: "stopped",
  lifted: "stopped",
  ended: "stopped",
  deleted: "stopped",
  expired: "stopped",
  revoked: "stopped",
  skipped: "not-started",
  paused: "warning",
  suspended: "warning",
};

/** Shows the state of a run, task, DAG run, operation, freeze, tenant or API key. */
export function State({ state, reason }: { state: string; reason?: string | null }) {
  return (
    <StatusIndicator type={SHAPES[state] ?? "info"}>
      <span className="tg-state">{stateWords(state, reason)}</span>
    </StatusIndicator>
  );
}
