import Alert from "@cloudscape-design/components/alert";

import { Instant, Live, readAll, type Schemas, useApi, useLive } from "../../kit";
import { unreadableJobs, unreadableOf } from "../shared/listing/unreadable";
import { heldOfForecast } from "./heldBack";

type NewFreeze = Schemas["NewFreeze"];

/** A forecast covers at most so many days of a long freeze, in so many pages. */
const MOST_DAYS = 7;
const PAGES = 5;
const DAY_MS = 86_400_000;

interface Held {
  text: string;
  next: string | null;
}

/** Says before a freeze what it would hold back. */
export function HeldBack({ freeze, now }: { freeze: NewFreeze; now: number }) {
  const api = useApi();
  const live = useLive({
    key: ["held-back", JSON.stringify(freeze.scope), freeze.starts_at, freeze.ends_at],
    read: () => readHeld(api, freeze, now),
    everyMs: () => null,
  });
  return (
    <Live live={live}>
      {(held) => (
        <Alert type="info" header="What it will hold back">
          {held.text}
          {held.next !== null && (
            <>
              {" "}
              The first is due <Instant at={held.next} />.
            </>
          )}{" "}
          Runs that have begun go on to their end.
        </Alert>
      )}
    </Live>
  );
}

async function readHeld(
  api: ReturnType<typeof useApi>,
  freeze: NewFreeze,
  now: number,
): Promise<Held> {
  switch (freeze.scope.kind) {
    case "tenant":
      return readForecast(api, freeze, now);
    case "tag":
      return readTag(api, freeze, freeze.scope);
    case "job": {
      const job = await readAll(
        api.GET("/v1/jobs/{job_id}", { params: { path: { job_id: freeze.scope.job_id } } }),
      );
      return heldOf([job], freeze, job.name);
    }
  }
}

async function readForecast(
  api: ReturnType<typeof useApi>,
  freeze: NewFreeze,
  now: number,
): Promise<Held> {
  const starts = Math.max(now, freeze.starts_at === null ? now : Date.parse(freeze.starts_at));
  const ends = Date.parse(freeze.ends_at);
  const days = Math.max(1, Math.min(MOST_DAYS, Math.ceil((ends - starts) / DAY_MS)));
  let [runs, unreadable] = [0, 0];
  let cursor: string | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const query = {
      from: new Date(starts).toISOString(),
      days,
      ...(cursor === null ? {} : { cursor }),
    };
    const answer: Schemas["LoadForecast"] = await readAll(
      api.GET("/v1/forecast", { params: { query } }),
    );
    runs += heldOfForecast(answer, starts, ends);
    unreadable += answer.jobs.damaged;
    cursor = answer.next_cursor;
    if (cursor === null) {
      break;
    }
  }
  const least = cursor !== null || ends - starts > days * DAY_MS ? "At least " : "";
  return { text: `${least}${runs.toLocaleString("en")} runs of all jobs.${unreadableJobs(unreadable)}`, next: null };
}

async function readTag(
  api: ReturnType<typeof useApi>,
  freeze: NewFreeze,
  scope: Schemas["TagScope"],
): Promise<Held> {
  if (scope.value === null) {
    return { text: `Every job that has a tag ${scope.key}, whatever its value.`, next: null };
  }
  const answer = await readAll(
    api.GET("/v1/jobs", {
      params: {
        query: { tag: [`${scope.key}:${scope.value}`], status: "active", limit: 100 },
      },
    }),
  );
  const many = `${answer.items.length}${answer.next_cursor === null ? "" : " or more"}`;
  const isPartial = answer.next_cursor !== null;
  const who = answer.items.length === 1 && !isPartial ? "One active job" : `${many} active jobs`;
  const held = heldOf(answer.items, freeze, who, isPartial);
  return { ...held, text: `${held.text}${unreadableJobs(unreadableOf(answer).length)}` };
}

function heldOf(jobs: readonly Schemas["Job"][], freeze: NewFreeze, who: string, isPartial = false): Held {
  const dues = jobs
    .flatMap(({ next_run_at }) => (next_run_at === null ? [] : [next_run_at]))
    .filter((at) => at < freeze.ends_at && (freeze.starts_at === null || at >= freeze.starts_at))
    .sort();
  const few = dues.length === 1 && !isPartial ? "one is due" : `${isPartial ? "at least " : ""}${dues.length} are due`;
  const text =
    jobs.length === 1 && !isPartial && dues.length === 0
      ? `${who}: its next instant is not within it.`
      : jobs.length === 1 && !isPartial
        ? `${who}.`
        : `${who}, of which ${few} within it.`;
  return { text, next: dues[0] ?? null };
}
