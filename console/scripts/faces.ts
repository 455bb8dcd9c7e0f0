/** Faces of Cloudscape's font that the console writes in: text, placeholders and headings. */
export const FACES = ["400 normal", "400 italic", "700 normal"];

const FACE = /@font-face\s*\{[^}]*\}/g;

/** Leaves out the faces of a font that no page is written in: each is 17 KB of the first load. */
export function withoutOtherFaces(css: string): string {
  const kept = new Set<string>();
  const rest = css.replace(FACE, (face) => {
    const name = `${/font-weight:\s*(\d+)/.exec(face)?.[1]} ${/font-style:\s*(\w+)/.exec(face)?.[1]}`;
    if (!FACES.includes(name)) return "";
    kept.add(name);
    return face;
  });
  if (kept.size > 0 && kept.size < FACES.length) throw new Error(`The font has only the faces ${[...kept].join(", ")}.`);
  return rest;
}
