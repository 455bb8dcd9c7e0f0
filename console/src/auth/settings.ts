import { deadline } from "../api/deadline";

/** The stage as `/config.json` describes it; its deployment writes that file. */
export interface Settings {
  stage: string;
  /** Base of the API: `https://api.example.com`. */
  api_url: string;
  /** Endpoints of the issuer of tokens (OpenID Connect), and the console's client there. */
  authorize_url: string;
  token_url: string;
  logout_url: string;
  client_id: string;
  scopes: string[];
  /** Where a trace is seen, with a place for its id; absent or empty: nowhere. */
  trace_url?: string;
}

const NAMES = ["stage", "api_url", "authorize_url", "token_url", "logout_url", "client_id"] as const;

/** Reads `/config.json`; throws an `Error` that names what is missing, and nothing that is there. */
export async function readSettings(get: typeof fetch = fetch): Promise<Settings> {
  const answer = await get("/config.json", { cache: "no-cache", signal: deadline() });
  if (!answer.ok) throw new Error(`/config.json answered ${answer.status}: deploy the console again.`);
  const read = await objectOf(answer);
  const missing: string[] = NAMES.filter((name) => typeof read[name] !== "string");
  if (!Array.isArray(read.scopes)) missing.push("scopes");
  if (missing.length > 0) throw new Error(`/config.json lacks ${missing.join(", ")}: deploy the console again.`);
  return read as unknown as Settings;
}

/** Reads an object of JSON; a place that has no such file may answer with a page of its own. */
async function objectOf(answer: Response): Promise<Record<string, unknown>> {
  const read: unknown = await answer.json().catch(() => null);
  if (typeof read !== "object" || read === null) throw new Error("/config.json is no object of JSON: deploy the console again.");
  return read as Record<string, unknown>;
}
