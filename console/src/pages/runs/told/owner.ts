/** Owner of a run: a job, the DAG run of a task, or the rule of a message. */
export interface Owner {
  kind: "job" | "dag_run" | "rule";
  /** Its id, or the name of a rule; of a rule that the message does not name, `null`. */
  id: string | null;
  /** Its page. */
  place: string;
}

/** A run that tells of something; a mark of this form is a rule's. */
const OF_RULE = /^n[0-9]{8}T[0-9]{9}Z-r[a-z2-7]{16}-[a-z2-7]{8}$/;

/**
 * Reads the owner of a run off its id, whose letter names its origin: `d` is a task of a DAG run. The id of a rule's
 * message names no rule: its `message` does.
 */
export function ownerOf(runId: string, message?: unknown): Owner {
  const [id = runId, rest = ""] = runId.split(".");
  if (OF_RULE.test(rest)) return ruleOf(message);
  const kind = rest.startsWith("d") ? "dag_run" : "job";
  return { kind, id, place: `${kind === "job" ? "/jobs" : "/dag-runs"}/${encodeURIComponent(id)}` };
}

function ruleOf(message: unknown): Owner {
  const name = (message as { rule?: { name?: unknown } } | null | undefined)?.rule?.name;
  if (typeof name !== "string") return { kind: "rule", id: null, place: "/rules" };
  return { kind: "rule", id: name, place: `/rules/${encodeURIComponent(name)}` };
}
