import { useSyncExternalStore } from "react";

/** Words for readers of a screen; a number tells two equal ones apart. */
let said: { text: string; number: number } = { text: "", number: 0 };
const listeners = new Set<() => void>();

/** Has a reader of a screen say what the eye sees elsewhere: a page that was opened, an action that is done. */
export function announce(text: string): void {
  said = { text, number: said.number + 1 };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Returns what was announced last. */
export const useAnnounced = (): { text: string; number: number } => useSyncExternalStore(subscribe, () => said);
