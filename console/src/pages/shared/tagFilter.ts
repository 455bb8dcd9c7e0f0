/** Reads tags of a query, `key:value`, as a selection has them. */
export function tagsOf(tags: readonly string[]): Record<string, string> {
  return Object.fromEntries(tags.map(cut));
}

/** Says why an operation cannot select jobs by these tags; null: it can. */
export function tagsRefusal(tags: readonly string[]): string | null {
  const values = new Map<string, string>();
  for (const [key, value] of tags.map(cut)) {
    // A selection holds one value a key: it would choose jobs that the list does not show.
    if ((values.get(key) ?? value) !== value) return `No job has two values of the tag ${key}. Take one away.`;
    values.set(key, value);
  }
  return null;
}

function cut(tag: string): [string, string] {
  const end = tag.indexOf(":");
  return end < 0 ? [tag, ""] : [tag.slice(0, end), tag.slice(end + 1)];
}
