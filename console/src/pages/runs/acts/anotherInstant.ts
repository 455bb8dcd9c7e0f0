import { decimalOf, type Schemas } from "../../../kit";
import { instantOf } from "../../shared/instants";
import { command } from "../../shared/quoting";

/** Another instant of a run, as it is typed. */
export interface AnotherInstant {
  by: "delay" | "at";
  /** Minutes from now. */
  minutes: string;
  at: string;
}

export const IN_AN_HOUR: AnotherInstant = { by: "delay", minutes: "60", at: "" };

const YEAR_MINUTES = 366 * 24 * 60;

/** Says why it cannot be sent; null: it can. */
export function instantRefusal({ by, minutes, at }: AnotherInstant): string | null {
  if (by === "at") {
    return instantOf(at) === null ? "Write an instant with its offset: 2026-12-24T18:00:00+01:00." : null;
  }
  const count = decimalOf(minutes);
  return count >= 0 && count <= YEAR_MINUTES ? null : "0 to 527,040 minutes, in digits.";
}

/** Returns seconds to the millisecond: 1.1 minutes are 66 s, and not 66.00000000000001. */
const secondsOf = (minutes: string): number => Math.round(decimalOf(minutes) * 60_000) / 1_000;

/** Returns the body of the request. */
export function rescheduleOf({ by, minutes, at }: AnotherInstant): Schemas["Reschedule"] {
  return (by === "at" ? { at } : { delay_seconds: secondsOf(minutes) }) as unknown as Schemas["Reschedule"];
}

/** Writes the instant as options of a command. */
export function instantOptions({ by, minutes, at }: AnotherInstant): [string, string][] {
  return [by === "at" ? ["--at", at] : ["--delay", `${minutes.trim()}m`]];
}

/** Writes the command that does the same. */
export function rescheduleCommand(runId: string, draft: AnotherInstant): string {
  return command(`runs reschedule ${runId}`, instantOptions(draft));
}
