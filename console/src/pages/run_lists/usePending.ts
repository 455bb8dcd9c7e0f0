import { type LiveQuery, useApi, useLive } from "../../kit";
import { rescheduleRefusal } from "../runs/acts/runActions";
import { countRuns, type Found } from "./countRuns";
import type { RunQuery } from "./runQuery";

/** Counts once the pending runs that an operation on a filter means: tasks and notifications are left out. */
export function usePending(criteria: RunQuery): LiveQuery<Found> {
  const api = useApi();
  return useLive({
    key: ["pending-matching", criteria],
    read: () =>
      countRuns(
        api,
        { ...criteria, which: "all", state: ["waiting", "queued"] },
        (run) => rescheduleRefusal(run) === null,
      ),
    everyMs: () => null,
  });
}

/** Writes what a button does to runs that were counted: "Cancel at least 1,000". */
export function countedVerb(verb: string, found: Found | undefined): string {
  return `${verb} ${found?.isPartial === true ? "at least " : ""}${(found?.count ?? 0).toLocaleString("en")}`;
}

/** Tells if there is nothing to begin: not counted yet, or none at all. */
export function isNone(found: Found | undefined): boolean {
  return found === undefined || (found.count === 0 && !found.isPartial);
}
