import Select from "@cloudscape-design/components/select";

import { useSearch } from "../../kit";

/** Spans of time that end now, as the page's URL and the CLI's `--since` write them. */
const SPANS = [
  { value: "1h", label: "Last hour" },
  { value: "6h", label: "Last 6 hours" },
  { value: "24h", label: "Last 24 hours" },
  { value: "7d", label: "Last 7 days" },
  { value: "all", label: "Everything on record" },
] as const;

const HOURS: Record<string, number> = { "1h": 1, "6h": 6, "24h": 24, "7d": 168 };

/** Returns the span in the page's URL. */
export function sinceOf(search: URLSearchParams, fallback = "24h"): string {
  const since = search.get("since") ?? fallback;
  return since === "all" || Object.hasOwn(HOURS, since) ? since : fallback;
}

/** Returns the instant at which the span begins, at the beginning of a minute; null: no bound. */
export function sinceInstant(since: string, now: number): string | null {
  const hours = HOURS[since];
  if (hours === undefined) {
    return null;
  }
  const minute = 60_000;
  return new Date(Math.floor((now - hours * 60 * minute) / minute) * minute).toISOString();
}

/** Chooses the span of time that a listing covers. */
export function Since({ fallback = "24h" }: { fallback?: string }) {
  const [search, setSearch] = useSearch();
  const since = sinceOf(search, fallback);
  return (
    <Select
      ariaLabel="Time"
      options={[...SPANS]}
      selectedOption={SPANS.find(({ value }) => value === since) ?? null}
      onChange={({ detail }) => {
        setSearch({ since: detail.selectedOption.value ?? null });
      }}
    />
  );
}
