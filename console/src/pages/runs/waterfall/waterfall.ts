/** Splits the way of an attempt, from its record to its end, into stages on one axis. */

export interface AttemptInstants {
  due_at: string;
  timeline: {
    planned_at: string;
    published_at: string | null;
    received_at: string | null;
    claimed_at: string | null;
    started_at: string | null;
    ended_at: string | null;
  };
}

export type StageKey = "planned" | "published" | "received" | "claimed" | "started" | "ended";

export interface Stage {
  key: StageKey;
  /** Milliseconds since the epoch; null until the attempt comes to the stage. */
  at: number | null;
  /** Milliseconds after the due time; negative before it. */
  sinceDue: number | null;
}

interface Stretch {
  /** The stage that the stretch leads from. */
  from: StageKey;
  to: StageKey;
  title: string;
  /** The part after the due time: earlier waiting costs nothing. */
  begins: number;
  ends: number;
  lengthMs: number;
  isOpen: boolean;
  kind: "wait" | "work";
}

export interface Waterfall {
  stages: Stage[];
  stretches: Stretch[];
  begins: number;
  ends: number;
  /** The stretch that took the most time before the work began; null without lateness. */
  slowest: Stretch | null;
}

const ORDER: readonly StageKey[] = [
  "planned",
  "published",
  "received",
  "claimed",
  "started",
  "ended",
];

/** Names what an attempt waits for on its way to the stage. */
const TITLES: Record<StageKey, string> = {
  planned: "Due before it was planned",
  published: "Waited for the relay to publish",
  received: "Waited in the queue",
  claimed: "Waited for the claim: slots, rate limit, condition",
  started: "Prepared the call of the target",
  ended: "Target worked",
};

function instantOf(attempt: AttemptInstants, key: StageKey): number | null {
  const written = attempt.timeline[`${key}_at`];
  return written === null ? null : Date.parse(written);
}

/**
 * Lays out the stages of an attempt.
 *
 * The axis begins at the due time, for a run is planned and published ahead of it. An attempt
 * that goes on is drawn up to `now`. Clocks of queue and executor differ by milliseconds, so a
 * stretch never ends before it begins.
 */
export function waterfallOf(attempt: AttemptInstants, now: number): Waterfall {
  const due = Date.parse(attempt.due_at);
  const stages = ORDER.map((key) => {
    const at = instantOf(attempt, key);
    return { key, at, sinceDue: at === null ? null : at - due };
  });
  const stretches = stretchesOf(stages, due, now);
  const ends = Math.max(due + 1, ...stretches.map((each) => each.ends));
  const waits = stretches.filter((each) => each.kind === "wait" && each.lengthMs > 0);
  const slowest = waits.reduce<Stretch | null>(
    (most, each) => (most === null || each.lengthMs > most.lengthMs ? each : most),
    null,
  );
  return { stages, stretches, begins: due, ends, slowest };
}

function stretchesOf(stages: readonly Stage[], due: number, now: number): Stretch[] {
  const passed = stages.filter((stage): stage is Stage & { at: number } => stage.at !== null);
  const stretches: Stretch[] = [];
  let begins = due;
  let from: StageKey = "planned";
  for (const stage of passed) {
    const ends = Math.max(stage.at, begins);
    if (stage.key !== "planned" || ends > due) {
      stretches.push(stretch(from, stage.key, begins, ends, false));
    }
    begins = ends;
    from = stage.key;
  }
  if (from !== "ended") {
    stretches.push(stretch(from, next(from), begins, Math.max(now, begins), true));
  }
  return stretches;
}

function next(key: StageKey): StageKey {
  return ORDER[ORDER.indexOf(key) + 1] ?? "ended";
}

function stretch(
  from: StageKey,
  to: StageKey,
  begins: number,
  ends: number,
  isOpen: boolean,
): Stretch {
  const kind = from === "started" ? "work" : "wait";
  const title = kind === "wait" && to === "ended" ? "Ended before it started" : TITLES[to];
  return { from, to, title, begins, ends, lengthMs: ends - begins, isOpen, kind };
}
