/** Writes a value of the API in the words for it; one that a later API has and this console does not know as it is. */
export function knownWords(words: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(words, value) ? words[value] : undefined) ?? value.replaceAll("_", " ");
}

/** Writes a state, and the reason of an end, as the CLI does: `skipped (upstream)`. */
export function stateWords(state: string, reason?: string | null): string {
  const words = state.replaceAll("_", " ");
  return reason === null || reason === undefined ? words : `${words} (${reason})`;
}
