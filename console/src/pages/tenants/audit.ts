import { plainNumbers } from "../../kit";
import { plainJson } from "../shared/json/plainJson";

/** So many characters of a value are shown in the list. */
const MOST = 120;

/** So many characters before the first that differs are shown with it. */
const BEFORE = 30;

/** Writes both values of a change on one line: long ones from shortly before the first character in which they differ. */
export function writeChange(before: unknown, after: unknown): [string, string] {
  const texts: [string, string] = [plain(before), plain(after)];
  const [one, other] = texts;
  if (one.length <= MOST && other.length <= MOST) return texts;
  const shared = sharedOf(one, other);
  const from = shared <= BEFORE ? 0 : shared - BEFORE;
  const part = (text: string): string =>
    `${from > 0 ? "…" : ""}${text.slice(from, from + MOST)}${text.length > from + MOST ? "…" : ""}`;
  return [part(one), part(other)];
}

/** Counts the characters with which both texts begin. */
function sharedOf(one: string, other: string): number {
  let count = 0;
  while (count < one.length && count < other.length && one[count] === other[count]) count += 1;
  return count;
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return typeof value === "string" ? plainNumbers(value) : plainJson(value);
}

/** Returns the page of a resource of another tenant that the stage's administration opens; null: there is none. */
export function placeElsewhere(kind: string, id: string, tenant: string): string | null {
  if (kind === "tenant") return placeOf(kind, id);
  return kind === "api_key" ? `/keys?tenant=${encodeURIComponent(tenant)}` : null;
}

/** Returns the page of a resource; null: it has none. */
export function placeOf(kind: string, id: string): string | null {
  const at = encodeURIComponent(id);
  switch (kind) {
    case "job":
      return `/jobs/${at}`;
    case "run":
      return `/runs/${at}`;
    case "dag":
      return `/dags/${at}`;
    case "dag_run":
      return `/dag-runs/${at}`;
    case "operation":
      return `/operations/${at}`;
    case "calendar":
      return `/calendars/${at}`;
    case "freeze":
      return "/calendars?ended=shown";
    case "pool":
      return `/pools/${at}`;
    case "event_trigger":
      return `/event-triggers/${at}`;
    case "notification_rule":
      return `/rules/${at}`;
    case "api_key":
      return "/keys";
    case "tenant":
      return `/tenants/${at}`;
    default:
      return null;
  }
}
