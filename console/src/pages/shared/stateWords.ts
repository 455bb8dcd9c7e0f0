/** Writes a state, and the reason of an end, as the CLI does: `skipped (upstream)`. */
export function stateWords(state: string, reason?: string | null): string {
  const words = state.replaceAll("_", " ");
  return reason === null || reason === undefined ? words : `${words} (${reason})`;
}
