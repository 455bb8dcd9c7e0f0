/**
 * A browser's numbers have 53 bits: JSON of an integer beyond them is read as another one. Such an integer is kept as a
 * text with a mark in it, from the JSON that is read to the JSON that is written, where its digits stand again.
 */

/** No tenant's text has the mark: it is another one in each window. */
const MARK = `integer-${crypto.randomUUID()}:`;
/** Texts of a JSON document, which may hold digits, and its numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const INTEGER = /^-?\d+$/;
const MARKED = new RegExp(`"?${MARK}(-?\\d+)"?`, "g");
/** A safe integer has fewer digits, or one of as many is safe itself. */
const LONG = /\d{16}/;

/** Marks the integers of a JSON document that a browser would change. */
export function markNumbers(json: string): string {
  if (!LONG.test(json)) return json;
  return json.replace(TOKENS, (token) =>
    INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${MARK}${token}"` : token,
  );
}

/** Writes marked integers by their digits, in JSON or any other text. */
export function plainNumbers(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, "$1") : text;
}
