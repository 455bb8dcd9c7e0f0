/** So many characters of a value are shown in the list. */
const MOST = 120;

/** Writes a value of a change on one line. */
export function writeChange(value: unknown): string {
  const text = value === null || value === undefined ? "none" : plain(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
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
