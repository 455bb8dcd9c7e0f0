import type { Schemas } from "../../kit";
import { knownWords } from "../shared/stateWords";

type Schedule = Schemas["Job"]["schedule"];

/** Writes a schedule in one line, as its owner wrote it. */
export function scheduleInShort(schedule: Schedule): string {
  switch (schedule.kind) {
    case "cron":
      return `${schedule.cron} ${schedule.timezone}`;
    case "rate":
      return `every ${spanOf(schedule.every_seconds)}`;
    case "at":
      return `at ${schedule.at}`;
    case "delay":
      return `after ${schedule.delay_seconds} s`;
    case "rrule":
      return schedule.rrule;
    case "union":
      return schedule.any_of.map((each) => scheduleInShort(each as Schedule)).join(" or ");
    case "immediate":
      return "at once";
    case "manual":
      return "when it is triggered";
    default:
      return knownWords({}, (schedule as { kind: string }).kind);
  }
}

/** Writes seconds by their largest unit that divides them. */
function spanOf(seconds: number): string {
  const units = [
    [86_400, "d"],
    [3_600, "h"],
    [60, "min"],
  ] as const;
  const unit = units.find(([size]) => seconds >= size && seconds % size === 0);
  return unit === undefined ? `${seconds} s` : `${seconds / unit[0]} ${unit[1]}`;
}
