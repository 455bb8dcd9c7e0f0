import { RouteLink } from "../../../kit";
import { ownerOf } from "./owner";

/** Leads to the job of a run, to the DAG run of a task, or to the rule of a message. */
export function OwnerLink({ runId, message }: { runId: string; message?: unknown }) {
  const { id, place } = ownerOf(runId, message);
  return <RouteLink to={place}>{id ?? "notification rules"}</RouteLink>;
}
