import { markNumbers } from "../../../kit";

export type Parsed = { ok: true; value: unknown } | { ok: false; error: string };

/** Texts of a JSON document, which may hold digits, and its numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Reads JSON; the error says in words where it breaks off, or which number is beyond any that there is. */
export function parseJson(text: string): Parsed {
  if (text.trim() === "") {
    return { ok: false, error: "Write JSON; null stands for no payload." };
  }
  try {
    const value = JSON.parse(markNumbers(text)) as unknown;
    const changed = (text.match(TOKENS) ?? []).find(isEndless);
    return changed === undefined ? { ok: true, value } : { ok: false, error: tooLarge(changed) };
  } catch (error) {
    const said = error instanceof Error ? error.message : "it cannot be read";
    return { ok: false, error: `This is no JSON: ${said}` };
  }
}

/** Tells if a number is beyond any float; an integer is kept by its digits. */
const isEndless = (token: string): boolean => !/^-?\d+$/.test(token) && Math.abs(Number(token)) === Infinity;

const tooLarge = (number: string): string => `No program reads ${number} as a number: write it as text.`;
