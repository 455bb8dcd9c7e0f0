/** The parts of an answer that name records which cannot be read; each listing of the API has one of them. */
interface Damage {
  damaged?: { count: number } & Partial<Record<"names" | "job_ids" | "run_ids" | "dag_ids", string[]>>;
}

/** Returns the names or ids of records that an answer leaves out, since they cannot be read. */
export function unreadableOf(answer: object | undefined): string[] {
  const { damaged } = (answer ?? {}) as Damage;
  return damaged?.names ?? damaged?.job_ids ?? damaged?.run_ids ?? damaged?.dag_ids ?? [];
}

/** Says after a count that so many jobs are not in it, since they cannot be read; empty: none. */
export function unreadableJobs(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " One job cannot be read, and is not counted." : ` ${count.toLocaleString("en")} jobs cannot be read, and are not counted.`;
}
