export type Parsed = { ok: true; value: unknown } | { ok: false; error: string };

/** Texts of a JSON document, which may hold digits, and its numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?\d+$/;

/** Reads JSON; the error says in words where it breaks off, or which number a browser would change. */
export function parseJson(text: string): Parsed {
  if (text.trim() === "") {
    return { ok: false, error: "Write JSON; null stands for no payload." };
  }
  try {
    const value = JSON.parse(text) as unknown;
    const changed = (text.match(TOKENS) ?? []).find(isChanged);
    return changed === undefined ? { ok: true, value } : { ok: false, error: tooLarge(changed) };
  } catch (error) {
    const said = error instanceof Error ? error.message : "it cannot be read";
    return { ok: false, error: `This is no JSON: ${said}` };
  }
}

/** Tells if a browser reads a number as another: integers beyond 2^53, and what is beyond any float. */
function isChanged(token: string): boolean {
  const number = Number(token);
  return INTEGER.test(token) ? !Number.isSafeInteger(number) : Math.abs(number) === Infinity;
}

const tooLarge = (number: string): string =>
  `The browser would send another number than ${number}: write it as text, or send it by the command line or the API.`;
