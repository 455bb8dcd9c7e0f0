import { RouteLink } from "../../../kit";
import type { Owner } from "./owner";

/** Leads to the job of a run, to the DAG run of a task, or to the rule of a message; by its id where no name is known. */
export function OwnerLink({ owner, name = owner.id }: { owner: Owner; name?: string | null }) {
  return <RouteLink to={owner.place}>{name ?? "notification rules"}</RouteLink>;
}
