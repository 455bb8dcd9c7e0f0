import { RouteLink } from "../../../kit";
import { ownerOf } from "./owner";

/** Leads to the job of a run, or to the DAG run of a task. */
export function OwnerLink({ runId }: { runId: string }) {
  const { id, place } = ownerOf(runId);
  return <RouteLink to={place}>{id}</RouteLink>;
}
