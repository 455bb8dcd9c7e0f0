import { plainNumbers } from "../../../kit";

/** Signs without a shape that turn a text round, or end such a turn (UAX 9). */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Writes a value as JSON. Signs that turn a text round are escaped, which is the same JSON: no member turns round those
 * that stand behind it.
 */
export function plainJson(value: unknown, indent = 0): string {
  const json = plainNumbers(JSON.stringify(value ?? null, null, indent));
  return json.replaceAll(TURNS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
