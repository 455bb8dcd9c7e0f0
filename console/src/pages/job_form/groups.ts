import { NEW_JOB, type Node } from "./contract";

/** Fields of a job that are shown together. */
export interface Group {
  title: string;
  names: readonly string[];
  /** Folded until somebody opens it. */
  isFolded: boolean;
}

const NAMED: readonly Group[] = [
  { title: "Name", names: ["name", "key", "description", "tags"], isFolded: false },
  { title: "When it runs", names: ["schedule", "calendars"], isFolded: false },
  { title: "What it does", names: ["action", "payload"], isFolded: false },
  { title: "Attempts and failures", names: ["timeout_seconds", "retry", "delivery", "pause_after_failures"], isFolded: true },
  { title: "Missed, late and long runs", names: ["catch_up", "late_after_seconds", "start_within_seconds", "finish_by", "long_run"], isFolded: true },
  { title: "Beside other runs", names: ["overlap", "collapse", "rate_limit", "before", "priority", "resource_class", "precision"], isFolded: true },
  { title: "What follows", names: ["then", "notifications", "list_runs"], isFolded: true },
];

const FIELDS: Record<string, Node> = NEW_JOB.properties ?? {};
const known = new Set(NAMED.flatMap(({ names }) => names));

/** Every field of the contract, once: those that no group names stand in the last one. */
export const GROUPS: readonly Group[] = [
  ...NAMED.map((group) => ({ ...group, names: group.names.filter((name) => name in FIELDS) })),
  { title: "More", names: Object.keys(FIELDS).filter((name) => !known.has(name)), isFolded: true },
];

/** Counts the fields of a group that are set. */
export function countSet(group: Group, draft: Record<string, unknown>): number {
  return group.names.filter((name) => draft[name] !== undefined).length;
}
