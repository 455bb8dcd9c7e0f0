import type { Schemas } from "../../kit";
import { stateWords } from "../shared/stateWords";

export type LedgerEntry = Schemas["LedgerPage"]["items"][number];

/** The look of a record in the grid: a letter and a shape beside its colour. */
export interface Mark {
  letter: string;
  word: string;
  /** Class of the cell: its colour. */
  tone: "good" | "work" | "held" | "left" | "bad";
  /** The gravest mark of a cell is shown. */
  weight: number;
}

const mark = (letter: string, word: string, tone: Mark["tone"], weight: number): Mark => ({
  letter,
  word,
  tone,
  weight,
});

/** Every mark, in the order of the legend. */
export const MARKS = {
  succeeded: mark("✓", "succeeded", "good", 1),
  retried: mark("R", "succeeded after a retry", "good", 4),
  waiting: mark("…", "waits for its instant or a worker", "work", 2),
  running: mark("▸", "runs now", "work", 3),
  excluded: mark("X", "left out by a calendar", "left", 5),
  rolled: mark("→", "moved to a business day", "left", 5),
  paused: mark("P", "the job was paused", "held", 6),
  frozen: mark("Z", "held back by a freeze", "held", 7),
  skipped: mark("S", "skipped", "left", 8),
  missed: mark("M", "missed", "bad", 9),
  cancelled: mark("C", "cancelled", "left", 10),
  failed: mark("F", "failed", "bad", 11),
  timed_out: mark("T", "timed out", "bad", 12),
  dead_lettered: mark("D", "dead letter", "bad", 13),
  damaged: mark("!", "its record cannot be read", "bad", 14),
} as const;

const GAPS: Record<string, keyof typeof MARKS> = {
  paused: "paused",
  frozen: "frozen",
  excluded: "excluded",
  no_business_day: "excluded",
  rolled: "rolled",
  missed_window: "missed",
};

/** A later API may have states that this console does not know: they are shown by their names. */
const unknownMark = (state: string): Mark => mark("?", stateWords(state), "left", 8);

/** Returns the mark of a record of the ledger. */
export function markOf(entry: LedgerEntry): Mark {
  if (entry.kind === "damaged") return MARKS.damaged;
  if (entry.kind === "gap") return MARKS[GAPS[entry.reason] ?? "skipped"];
  switch (entry.state) {
    case "succeeded":
      return entry.attempt > 1 ? MARKS.retried : MARKS.succeeded;
    case "waiting":
    case "queued":
      return MARKS.waiting;
    case "skipped":
      return MARKS[GAPS[entry.reason ?? ""] ?? "skipped"];
    default:
      return (MARKS as Partial<Record<string, Mark>>)[entry.state] ?? unknownMark(entry.state);
  }
}
