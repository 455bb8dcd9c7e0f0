import { parseJson } from "../shared/json/parseJson";

/** Triggers of a text, and the first line that cannot be read. */
export interface ReadTriggers {
  triggers: Record<string, unknown>[];
  /** The line of each, counted from one: empty lines are passed over. */
  lines: number[];
  error: string | null;
}

const MOST = 1_000;

/** Reads one trigger a line, as `timegate jobs trigger-many` reads a file. */
export function readTriggers(text: string): ReadTriggers {
  const triggers: Record<string, unknown>[] = [];
  const lines: number[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = parseJson(line);
    if (!read.ok) return { triggers, lines, error: `Line ${index + 1}: ${read.error}` };
    if (!isObject(read.value)) return { triggers, lines, error: `Line ${index + 1} is no JSON object.` };
    triggers.push(read.value);
    lines.push(index + 1);
  }
  const error = triggers.length > MOST ? `${triggers.length.toLocaleString("en")} lines: send 1,000 at a time.` : null;
  return { triggers, lines, error };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
