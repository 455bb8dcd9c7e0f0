/** Triggers of a text, and the first line that cannot be read. */
export interface ReadTriggers {
  triggers: Record<string, unknown>[];
  error: string | null;
}

const MOST = 1_000;

/** Reads one trigger a line, as `timegate jobs trigger-many` reads a file. */
export function readTriggers(text: string): ReadTriggers {
  const triggers: Record<string, unknown>[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = objectOf(line);
    if (read === null) return { triggers, error: `Line ${index + 1} is no JSON object.` };
    triggers.push(read);
  }
  const error = triggers.length > MOST ? `${triggers.length.toLocaleString("en")} lines: send 1,000 at a time.` : null;
  return { triggers, error };
}

function objectOf(line: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
