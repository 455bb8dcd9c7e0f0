/** Signs that turn a text round, end such a turn, or break its line (UAX 9, UAX 14), and controls. */
const TURNS = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;
/** Letters and marks that run from right to left. */
const FROM_RIGHT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]|[\ud802\ud803\ud83a\ud83b]/;
const [ISOLATE, END] = ["\u2068", "\u2069"];

/**
 * Returns a text of a tenant or a target for a place without markup, among other words: a title, a joined list. It has a
 * direction of its own there, and turns nothing round that stands beside it, as `Said` does where there is markup.
 */
export function isolated(text: string): string {
  const plain = text.replaceAll(TURNS, "");
  return FROM_RIGHT.test(plain) ? `${ISOLATE}${plain}${END}` : plain;
}
