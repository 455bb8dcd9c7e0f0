/** What a run belongs to: a job, or the DAG run of a task. */
export interface Owner {
  id: string;
  isDagRun: boolean;
  /** Its page. */
  place: string;
}

/** Reads the owner of a run off its id, whose letter names its origin: `d` is a task of a DAG run. */
export function ownerOf(runId: string): Owner {
  const [id = runId, rest = ""] = runId.split(".");
  const isDagRun = rest.startsWith("d");
  return { id, isDagRun, place: `${isDagRun ? "/dag-runs" : "/jobs"}/${encodeURIComponent(id)}` };
}
