import { decimalOf, type Schemas } from "../../kit";
import { type FilterField, filterValues } from "../shared/listing/filterValues";
import { REASONS } from "../runs/reasons";
import { tagsOf, tagsRefusal } from "../shared/tagFilter";

/** Filters that the API takes of a listing of runs, by the names of its query. */
export interface RunQuery {
  state?: Schemas["RunState"][];
  reason?: Schemas["Reason"];
  error_code?: string;
  name?: string;
  job_id?: string;
  tag?: string[];
  dag_run_id?: string;
  event_trigger?: string;
  late_seconds?: number;
  from?: string;
  to?: string;
}

const FAILED = ["failed", "timed_out", "cancelled", "dead_lettered", "skipped"] as const;
const EVERY = ["waiting", "queued", "running", "succeeded", ...FAILED] as const;
/** Reasons of runs that their owner's own rules ended. */
const BY_RULE = [
  "collapsed",
  "condition",
  "excluded",
  "frozen",
  "job_cancelled",
  "max_runs",
  "missed_window",
  "paused",
  "retried",
  "rolled",
  "superseded",
] as const;

const fieldsOf = (states: readonly string[], reasons: readonly string[]): FilterField[] => [
  { name: "state", label: "State", values: states, many: true },
  { name: "reason", label: "Reason", values: reasons },
  { name: "error_code", label: "Error code" },
  { name: "name", label: "Job name (nightly* begins so)" },
  { name: "job_id", label: "Job id" },
  { name: "tag", label: "Tag (key:value)", many: true },
  { name: "dag_run_id", label: "DAG run" },
  { name: "event_trigger", label: "Event trigger" },
  { name: "late_seconds", label: "Later than so many seconds", values: ["60", "300", "3600"] },
  { name: "to", label: "Until (2026-11-21T09:00:00Z)" },
];

export const FAILED_FIELDS = fieldsOf(FAILED, REASONS);
export const ALL_FIELDS = fieldsOf(EVERY, [...REASONS, ...BY_RULE].sort());

/** Returns what the page's URL asks the API for; `from` begins the span that is looked at. */
export function runQueryOf(search: URLSearchParams, from: string | null): RunQuery {
  const one = (name: string): string | undefined => filterValues(search, name)[0];
  const late = one("late_seconds");
  const given = {
    state: filterValues(search, "state") as Schemas["RunState"][],
    reason: one("reason") as Schemas["Reason"] | undefined,
    error_code: one("error_code"),
    name: one("name"),
    job_id: one("job_id"),
    tag: filterValues(search, "tag"),
    dag_run_id: one("dag_run_id"),
    event_trigger: one("event_trigger"),
    late_seconds: late === undefined ? undefined : decimalOf(late),
    from: from ?? undefined,
    to: one("to"),
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
}

/** Returns a filter without some of its criteria. */
export function without(query: RunQuery, ...names: (keyof RunQuery)[]): RunQuery {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name as keyof RunQuery)));
}

/** Writes the filter as options of the command line. */
export function optionsOf(query: RunQuery, since: string): (readonly [string, string | null])[] {
  const { from, ...criteria } = query;
  return [
    ["--since", from === undefined || since === "all" ? null : since],
    ...Object.entries(criteria).flatMap(([name, value]) =>
      [value].flat().map((each) => [optionOf(name), written(name, String(each))] as const),
    ),
  ];
}

const OPTIONS: Record<string, string> = {
  job_id: "--job",
  dag_run_id: "--dag-run",
  late_seconds: "--late",
  to: "--until",
};

const optionOf = (name: string): string => OPTIONS[name] ?? `--${name.replaceAll("_", "-")}`;

/** The command line writes a tag as `key=value`, and a span with its unit. */
function written(name: string, value: string): string {
  if (name === "late_seconds") return `${value}s`;
  return name === "tag" ? value.replace(":", "=") : value;
}

/** Selects failed runs as their redrive does: by the filter of the listing, or all of them. */
export function failuresOf(query: RunQuery): Schemas["FailureSelection"] {
  const { tag } = query;
  const selection = { ...without(query, "tag", "dag_run_id", "event_trigger"), ...(tag === undefined ? {} : { tags: tagsOf(tag) }) };
  return (Object.keys(selection).length === 0 ? { all: true } : selection) as Schemas["FailureSelection"];
}

/** Criteria that a cancel of many runs knows. */
const OF_JOBS = new Set(["job_id", "name", "tag", "from", "to", "state"]);

/** Says why no operation can take the pending runs of a filter; null: one can. */
export function pendingRefusal(query: RunQuery): string | null {
  const others = Object.keys(query).filter((name) => !OF_JOBS.has(name));
  if (others.length > 0) return "Pending runs are selected by job, name, tag and time alone.";
  const isNamed = query.job_id !== undefined || query.name !== undefined || query.tag !== undefined;
  return isNamed ? tagsRefusal(query.tag ?? []) : "Filter by job, name or tag first.";
}

/** Selects pending runs as operations on them do. */
export function pendingOf(query: RunQuery): Schemas["PendingSelection"] {
  const { tag, job_id, name, from, to } = query;
  const given = { job_id, name, from, to, tags: tag === undefined ? undefined : tagsOf(tag) };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as Schemas["PendingSelection"];
}
