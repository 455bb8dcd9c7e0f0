import { plainNumbers, shellWord } from "../../kit";

export { shellWord };

/** Writes a command of options; those without a value are left out. */
export function command(
  words: string,
  options: readonly (readonly [string, string | boolean | null | undefined])[] = [],
): string {
  const written = options.flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false || value === "") {
      return [];
    }
    return [value === true ? name : `${name} ${shellWord(value)}`];
  });
  return ["timegate", words, ...written].join(" ");
}

/** Writes a command whose `--file -` reads a document, and the document. No line of JSON is the word that ends it. */
export function withDocument(command: string, document: unknown): string {
  return `${command} <<'EOF'\n${plainNumbers(JSON.stringify(document, null, 2))}\nEOF`;
}

/** Writes a request with its query. */
export function request(
  method: string,
  path: string,
  query: object = {},
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? (value as unknown[]) : [value as unknown]) {
      if (each !== null && each !== undefined && each !== "") {
        search.append(name, typeof each === "string" ? each : JSON.stringify(each));
      }
    }
  }
  const asked = search.toString();
  return asked === "" ? `${method} ${path}` : `${method} ${path}?${asked}`;
}
