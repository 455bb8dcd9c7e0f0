import type { Schemas } from "../../kit";
import { instantOf } from "../shared/instants";

type Scenario = Schemas["ScenarioContract"];

/** A question about a job, as the page's URL writes it: texts that a person typed. */
export interface Question {
  from: string;
  to: string;
  /** Side that is away for a while; empty: none. */
  outage: "" | "planner" | "executor" | "both";
  outageFrom: string;
  outageTo: string;
  /** Instant at which the job is given `schedule`; empty: it keeps its own. */
  editAt: string;
  /** JSON of the schedule. */
  schedule: string;
}

const NAMES: Record<keyof Question, string> = {
  from: "from",
  to: "to",
  outage: "outage",
  outageFrom: "outage_from",
  outageTo: "outage_to",
  editAt: "edit_at",
  schedule: "schedule",
};
const OUTAGES: readonly string[] = ["planner", "executor", "both"];
const HOUR_MS = 3_600_000;

/** Reads the question of a URL; `null`: it has none. */
export function questionOf(search: URLSearchParams): Question | null {
  if (search.get("from") === null || search.get("to") === null) return null;
  const read = Object.fromEntries(
    Object.entries(NAMES).map(([field, name]) => [field, search.get(name) ?? ""]),
  ) as unknown as Question;
  return { ...read, outage: OUTAGES.includes(read.outage) ? read.outage : "" };
}

/** Writes a question as parts of a URL. */
export function searchOf(question: Question): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(NAMES).map(([field, name]) => [name, question[field as keyof Question] || null]),
  );
}

/** Begins with the coming day, and a planner that is away from its second hour to its fourth. */
export function firstQuestion(now: number, schedule: unknown): Question {
  const begins = Math.ceil(now / HOUR_MS) * HOUR_MS;
  const at = (hours: number): string => new Date(begins + hours * HOUR_MS).toISOString().replace(".000Z", "Z");
  return {
    from: at(0),
    to: at(24),
    outage: "planner",
    outageFrom: at(1),
    outageTo: at(3),
    editAt: "",
    schedule: JSON.stringify(schedule),
  };
}

/** Says what is wrong with a question, by its fields; an empty answer: it can be sent. */
export function problemsOf(question: Question): Partial<Record<keyof Question, string>> {
  const { from, to, outage, outageFrom, outageTo, editAt, schedule } = question;
  const problems: Partial<Record<keyof Question, string>> = {
    ...spanProblem("from", from, "to", to),
    ...(outage === "" ? {} : spanProblem("outageFrom", outageFrom, "outageTo", outageTo)),
  };
  if (editAt !== "" && instantOf(editAt) === null) problems.editAt = NO_INSTANT;
  if (editAt !== "" && readSchedule(schedule) === null) problems.schedule = "This is no schedule.";
  return problems;
}

const NO_INSTANT = "This is no instant: 2026-12-24T00:00:00Z is one.";

function spanProblem(
  first: keyof Question,
  begins: string,
  last: keyof Question,
  ends: string,
): Partial<Record<keyof Question, string>> {
  const problems: Partial<Record<keyof Question, string>> = {};
  const [from, to] = [instantOf(begins), instantOf(ends)];
  if (from === null) problems[first] = NO_INSTANT;
  if (to === null) problems[last] = NO_INSTANT;
  else if (from !== null && to <= from) problems[last] = "It ends before it begins.";
  return problems;
}

/** Reads the schedule of a question; `null`: it is none. */
export function readSchedule(text: string): Record<string, unknown> | null {
  try {
    const read = JSON.parse(text) as unknown;
    return typeof read === "object" && read !== null && "kind" in read ? { ...read } : null;
  } catch {
    return null;
  }
}

const written = (text: string): string => new Date(instantOf(text) ?? Number.NaN).toISOString();

/** Returns the scenario of the job as it is: the same span, and nothing happens. */
export function plainScenario(jobId: string, { from, to }: Question): Scenario {
  return { job_id: jobId, from: written(from), to: written(to) } as Scenario;
}

/** Returns the scenario that a question describes. */
export function scenarioOf(jobId: string, question: Question): Scenario {
  const { outage, outageFrom, outageTo, editAt, schedule } = question;
  const away = outage === "" ? [] : [{ from: written(outageFrom), to: written(outageTo) }];
  return {
    ...plainScenario(jobId, question),
    ...(outage === "planner" || outage === "both" ? { planner: { outages: away } } : {}),
    ...(outage === "executor" || outage === "both" ? { executor: { outages: away } } : {}),
    ...(editAt === "" ? {} : { edits: [{ at: written(editAt), schedule: readSchedule(schedule) }] }),
  } as Scenario;
}
