/** Returns what each event of a message says to people. */
export function textsOf(message: unknown): string[] {
  const { events } = (message ?? {}) as { events?: unknown };
  return eventsOf(events);
}

/** Returns the words of events; those without any are left out. */
export function eventsOf(events: unknown): string[] {
  if (!Array.isArray(events)) return [];
  return (events as unknown[])
    .map((event) => (event as { text?: unknown } | null)?.text)
    .filter((text): text is string => typeof text === "string");
}
