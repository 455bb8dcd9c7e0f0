import { createContext, useContext } from "react";

/** The parts of what can be done; the API's scopes after the stage's prefix. */
export type Right = "read" | "write" | "operate" | "send" | "worker" | "admin";

/** The person at the console, as the API knows them. */
export interface Person {
  tenant: string | null;
  caller: string;
  /** Scopes with their prefix: `timegate/read`. */
  scopes: readonly string[];
  roles: readonly string[];
}

/** Returns an answer that names a person; throws an `Error` for one of another shape, which no page can be shown to. */
export function naming<T>(answer: T): T {
  const { caller, scopes, person } = Object(answer) as Record<string, unknown>;
  const { roles } = Object(person ?? { roles: [] }) as Record<string, unknown>;
  if (typeof caller === "string" && Array.isArray(scopes) && Array.isArray(roles)) return answer;
  throw new Error("its answer names no person");
}

const UNKNOWN_PERSON: Person = { tenant: null, caller: "", scopes: [], roles: [] };

export const SessionContext = createContext<Person>(UNKNOWN_PERSON);

/** Where the stage's traces are seen, with `{trace_id}` or `{xray_id}` in it; empty: nowhere. */
export const TraceUrlContext = createContext("");

export const usePerson = (): Person => useContext(SessionContext);
export const useTenant = (): string | null => usePerson().tenant;

const WORDS: Record<Right, string> = {
  read: "see anything here",
  write: "create or change jobs, DAGs and calendars",
  operate: "trigger, pause, redrive or freeze",
  send: "send events",
  worker: "work on runs",
  admin: "administer the stage",
};

/** Tells if the person may do something; `why` is the reason shown beside a disabled action. */
export function useMay(right: Right): { allowed: boolean; why: string | null } {
  const { scopes } = usePerson();
  const allowed = scopes.some((scope) => scope.endsWith(`/${right}`));
  return { allowed, why: allowed ? null : `Your role may not ${WORDS[right]}.` };
}
